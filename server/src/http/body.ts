/** Reads a call's body, JSON or form, by the contract's schema. */
import type { FastifyRequest } from 'fastify'
import * as z from 'zod'
import { failFields } from './fail.ts'

export function readBody(request: FastifyRequest, schema: z.ZodType): unknown {
  const isForm = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded')
  const given: unknown = request.body ?? {}
  const parsed = schema.safeParse(isForm ? fromForm(given, schema) : given)
  if (parsed.success) return parsed.data
  throw failFields(fieldsOf(parsed.error, given))
}

/** A form knows only text: what is no valid text for a field may be the JSON of a valid value, or empty for null. */
function fromForm(given: unknown, schema: z.ZodType): unknown {
  if (!(schema instanceof z.ZodObject) || typeof given !== 'object' || given === null) return given
  const body: Record<string, unknown> = { ...given }
  for (const [name, value] of Object.entries(body)) {
    const field: unknown = Object.hasOwn(schema.shape, name) ? schema.shape[name] : undefined
    if (!(field instanceof z.ZodType) || typeof value !== 'string') continue
    const readings = value === '' ? [null, value] : [value, fromJson(value)]
    body[name] = readings.find((reading) => field.safeParse(reading).success) ?? (value === '' ? null : value)
  }
  return body
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Each wrong field with the message key of the rule it breaks. */
function fieldsOf(error: z.ZodError, given: unknown): Record<string, string> {
  const fields: Record<string, string> = {}
  for (const issue of error.issues) fields[issue.path.join('.') || 'body'] ??= messageKey(issue, given)
  return fields
}

function messageKey(issue: z.core.$ZodIssue, given: unknown): string {
  // A schema's own message is a key already.
  if (/^[a-z]+(\.[a-zA-Z_]+)+$/.test(issue.message)) return issue.message
  if (issue.code === 'too_small')
    return issue.origin === 'string' && issue.minimum === 1 ? 'form.required' : 'form.too_small'
  if (issue.code === 'too_big') return 'form.too_big'
  if (issue.code === 'invalid_type' && isAbsent(given, issue.path)) return 'form.required'
  return 'form.invalid'
}

function isAbsent(given: unknown, path: PropertyKey[]): boolean {
  let value: unknown = given
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return false
    value = Object.entries(value).find(([name]) => name === String(key))?.[1]
  }
  return value === undefined
}
