/** A record whose entries are counted. Every record of a request is one: whoever fills it has a limit. */
import * as z from 'zod'

/**
 * The limit also stands in the schema's metadata, as JSON Schema calls it: the server counts the keys of a record before
 * it checks any of them, and the API description states the limit.
 */
export const boundedRecord = <Key extends z.ZodString, Value extends z.ZodType>(
  key: Key,
  value: Value,
  maxProperties: number,
) =>
  z
    .record(key, value)
    .refine((entries) => hasAtMost(entries, maxProperties), 'form.too_big')
    .meta({ maxProperties })

/** Counts no further than it has to. */
export function hasAtMost(object: object, most: number): boolean {
  let count = 0
  for (const _key in object) {
    count += 1
    if (count > most) return false
  }
  return true
}
