/** The operator's own limits of the membership levels: a JSON file, read once at the start. Documented in docs/operating.md. */
import { readFileSync } from 'node:fs'
import { type PlanTable, planTable } from '@neuroloom/contract/limits'
import { planOverridesSchema, planTableWith } from '@neuroloom/contract/plans'
import type * as z from 'zod'

/** The whole table; without a file the product's own. */
export function readLimits(path: string | undefined): PlanTable {
  if (path === undefined) return planTable
  const parsed = planOverridesSchema.safeParse(parse(path))
  if (parsed.success) return planTableWith(parsed.data)
  throw new Error(`Configuration: LIMITS_FILE ${path}: ${parsed.error.issues.map(sentence).join('; ')}`)
}

function parse(path: string): unknown {
  const text = read(path)
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new Error(`Configuration: LIMITS_FILE ${path} is not JSON: ${reasonOf(cause)}`, { cause })
  }
}

function read(path: string): string {
  try {
    // Editors of Windows begin a file with a mark that JSON does not know.
    return readFileSync(path, 'utf8').replace(/^\uFEFF/, '')
  } catch (cause) {
    throw new Error(`Configuration: LIMITS_FILE cannot be read: ${reasonOf(cause)}`, { cause })
  }
}

function sentence(issue: z.core.$ZodIssue): string {
  const place = issue.path.join('.')
  if (issue.code !== 'unrecognized_keys') return `${place || 'the file'}: ${issue.message}`
  const names = issue.keys.map((key) => (place ? `${place}.${key}` : key)).join(', ')
  return place ? `${names}: no such limit` : `${names}: no such level`
}

const reasonOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))
