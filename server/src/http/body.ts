/** Reads a call's body, JSON or form, by the contract's schema. */

import { requests } from '@neuroloom/contract/limits'
import { hasAtMost } from '@neuroloom/contract/schema/bounded-record'
import type { FastifyRequest } from 'fastify'
import * as z from 'zod'
import { bodyBytes } from './body-bytes.ts'
import { failFields } from './fail.ts'
import { parseInSlices } from './parse-in-slices.ts'

export async function readBody(request: FastifyRequest, schema: z.ZodType): Promise<unknown> {
  const isForm = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded')
  const given: unknown = request.body ?? {}
  if (hasTooManyKeys(given, schema)) throw failFields({ body: 'form.too_big' })
  const body = isForm ? fromForm(given, schema) : given
  const { data, issues } = await parse(body, schema, isSmall(request))
  if (issues.length === 0) return data
  throw failFields(fieldsOf(issues, given))
}

async function parse(body: unknown, schema: z.ZodType, isAtOnce: boolean) {
  if (!isAtOnce) return parseInSlices(schema, body)
  const { data, error } = schema.safeParse(body)
  return { data, issues: error?.issues ?? [] }
}

export const isSmall = (request: FastifyRequest): boolean => bodyBytes(request) <= requests.smallBytes

/** Fields that a call does not know are passed over, but their number is limited. */
const hasTooManyKeys = (given: unknown, schema: z.ZodType): boolean =>
  typeof given === 'object' &&
  given !== null &&
  !Array.isArray(given) &&
  !hasAtMost(given, requests.unknownFields + knownFields(schema))

const knownFields = (schema: z.ZodType): number =>
  schema instanceof z.ZodObject ? Object.keys(schema.shape).length : 0

/** A form knows only text: what is no valid text for a field may be the JSON of a valid value, or empty for null. */
function fromForm(given: unknown, schema: z.ZodType): unknown {
  if (!(schema instanceof z.ZodObject) || typeof given !== 'object' || given === null) return given
  const body: Record<string, unknown> = { ...given }
  for (const [name, field] of Object.entries(schema.shape)) {
    const value = body[name]
    if (!(field instanceof z.ZodType) || typeof value !== 'string') continue
    const readings = value === '' ? [null, value] : [value, fromJson(value)]
    body[name] = readings.find((reading) => z.validate(field, reading)) ?? (value === '' ? null : value)
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

/** Wrong fields, the first of them, each with the message key of the rule it breaks. */
function fieldsOf(issues: readonly z.core.$ZodIssue[], given: unknown): Record<string, string> {
  const fields: Record<string, string> = {}
  for (const issue of issues.slice(0, requests.issues))
    fields[issue.path.join('.') || 'body'] ??= messageKey(issue, given)
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

function isAbsent(given: unknown, path: readonly PropertyKey[]): boolean {
  let value: unknown = given
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return false
    value = Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined
  }
  return value === undefined
}
