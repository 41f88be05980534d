/**
 * Parses a large body by its schema, entry by entry in slices of time, and stops at the first wrong entry of each list.
 * The schema library would check all of it in one go and describe every one of a million wrong numbers.
 */
import { hasAtMost } from '@neuroloom/contract/schema/bounded-record'
import * as z from 'zod'
import { makeBreath } from '../infra/aside/slices.ts'

export type Parsed = { data: unknown; issues: z.core.$ZodIssue[] }

/** The same answer as `schema.safeParse`, with the first issues of those that it would give. */
export function parseInSlices(schema: z.ZodType, value: unknown): Promise<Parsed> {
  return parse(schema, value, makeBreath())
}

type Pause = () => Promise<void>
/** So many entries without a list in them are checked between two looks at the clock. */
const ENTRIES_AT_ONCE = 32

async function parse(schema: z.ZodType, value: unknown, pause: Pause): Promise<Parsed> {
  if (!hasParts(schema)) return whole(schema, value)
  if (isWrapper(schema)) {
    const isAbsent = value === (schema instanceof z.ZodNullable ? null : undefined)
    return isAbsent ? whole(schema, value) : parse(innerOf(schema), value, pause)
  }
  if (schema instanceof z.ZodArray && Array.isArray(value)) return parseArray(schema, value, pause)
  if (schema instanceof z.ZodRecord && isRecord(value)) return parseRecord(schema, value)
  if (schema instanceof z.ZodObject && isRecord(value)) return parseObject(schema, value, pause)
  if (schema instanceof z.ZodUnion) return parseUnion(schema, value, pause)
  return whole(schema, value)
}

async function parseArray(schema: z.ZodArray, list: unknown[], pause: Pause): Promise<Parsed> {
  const { element } = schema
  if (!(element instanceof z.ZodType)) return whole(schema, list)
  // The library itself compares the length before it looks at an entry.
  const { least, most } = lengthsOf(schema)
  if (list.length > most || list.length < least) return whole(schema, list)
  const isDeep = hasParts(element)
  const data: unknown[] = []
  for (let index = 0; index < list.length; index += 1) {
    const entry = isDeep ? await parse(element, list[index], pause) : whole(element, list[index])
    if (entry.issues.length > 0) return { data: undefined, issues: below(index, entry.issues) }
    data.push(entry.data)
    if (isDeep || index % ENTRIES_AT_ONCE === 0) await pause()
  }
  return hasChecks(schema, isLengthCheck) ? whole(schema, list) : { data, issues: [] }
}

/** Records hold no lists, and so many entries only as their limit allows. */
function parseRecord(schema: z.ZodRecord, value: object): Parsed {
  const most = schema.meta()?.maxProperties
  if (typeof most !== 'number' || hasAtMost(value, most)) return whole(schema, value)
  return { data: undefined, issues: [tooBig(most)] }
}

/** Each wrong field is named, as in a form. */
async function parseObject(schema: z.ZodObject, value: object, pause: Pause): Promise<Parsed> {
  const data: Record<string, unknown> = {}
  const issues: z.core.$ZodIssue[] = []
  for (const [name, field] of Object.entries(schema.shape)) {
    if (!(field instanceof z.ZodType)) continue
    const given: unknown = Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined
    const entry = await parse(field, given, pause)
    issues.push(...below(name, entry.issues))
    if (entry.data !== undefined) data[name] = entry.data
  }
  if (issues.length > 0) return { data: undefined, issues }
  return hasChecks(schema) || schema.def.catchall ? whole(schema, value) : { data, issues }
}

async function parseUnion(schema: z.ZodUnion, value: unknown, pause: Pause): Promise<Parsed> {
  if (schema instanceof z.ZodDiscriminatedUnion) {
    const option = optionOf(schema, value)
    return option ? parse(option, value, pause) : whole(schema, value)
  }
  for (const option of schema.options) {
    if (!(option instanceof z.ZodType)) continue
    const entry = await parse(option, value, pause)
    if (entry.issues.length === 0) return entry
  }
  return { data: undefined, issues: [{ code: 'invalid_union', errors: [], path: [], message: '' }] }
}

function optionOf(schema: z.ZodDiscriminatedUnion, value: unknown): z.ZodType | null {
  if (!isRecord(value)) return null
  const { discriminator } = schema.def
  const said: unknown = Reflect.get(value, discriminator)
  const option = schema.options.find(
    (one) =>
      one instanceof z.ZodObject &&
      one.shape[discriminator] instanceof z.ZodType &&
      one.shape[discriminator].safeParse(said).success,
  )
  return option instanceof z.ZodType ? option : null
}

function whole(schema: z.ZodType, value: unknown): Parsed {
  const { success, data, error } = schema.safeParse(value)
  return success ? { data, issues: [] } : { data: undefined, issues: error.issues }
}

const below = (key: PropertyKey, issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue[] =>
  issues.map((issue) => ({ ...issue, path: [key, ...issue.path] }))

const tooBig = (maximum: number): z.core.$ZodIssue => ({
  code: 'too_big',
  origin: 'object',
  maximum,
  inclusive: true,
  path: [],
  message: '',
})

/** Whether lists or records stand anywhere below: everything else is as small as the schema's text. */
const partsOf = new WeakMap<z.ZodType, boolean>()
function hasParts(schema: z.ZodType): boolean {
  const known = partsOf.get(schema)
  if (known !== undefined) return known
  const found = findParts(schema)
  partsOf.set(schema, found)
  return found
}

function findParts(schema: z.ZodType): boolean {
  if (schema instanceof z.ZodArray || schema instanceof z.ZodRecord) return true
  if (isWrapper(schema)) return hasParts(innerOf(schema))
  const inner: unknown[] =
    schema instanceof z.ZodObject
      ? Object.values(schema.shape)
      : schema instanceof z.ZodUnion
        ? [...schema.options]
        : []
  return inner.some((one) => one instanceof z.ZodType && hasParts(one))
}

type Wrapper = z.ZodOptional | z.ZodNullable | z.ZodDefault | z.ZodPrefault
const isWrapper = (schema: z.ZodType): schema is Wrapper =>
  schema instanceof z.ZodOptional ||
  schema instanceof z.ZodNullable ||
  schema instanceof z.ZodDefault ||
  schema instanceof z.ZodPrefault

function innerOf(schema: Wrapper): z.ZodType {
  const inner: unknown = schema.unwrap()
  if (inner instanceof z.ZodType) return inner
  throw new Error('A wrapper holds no schema of this library')
}

/** A list may carry several limits of its length. */
function lengthsOf(schema: z.ZodArray): { least: number; most: number } {
  let least = 0
  let most = Number.POSITIVE_INFINITY
  for (const { _zod } of checksOf(schema)) {
    if (_zod.def.check === 'min_length' && 'minimum' in _zod.def) least = Number(_zod.def.minimum)
    if (_zod.def.check === 'max_length' && 'maximum' in _zod.def)
      most = Math.min(most, Number(_zod.def.maximum))
    if (_zod.def.check === 'length_equals' && 'length' in _zod.def) {
      least = Number(_zod.def.length)
      most = least
    }
  }
  return { least, most }
}

const checksOf = (schema: z.ZodType): readonly z.core.$ZodCheck[] => schema.def.checks ?? []
const hasChecks = (schema: z.ZodType, isHarmless: (check: z.core.$ZodCheck) => boolean = () => false) =>
  checksOf(schema).some((check) => !isHarmless(check))
const isLengthCheck = ({ _zod: { def } }: z.core.$ZodCheck): boolean =>
  ['min_length', 'max_length', 'length_equals'].includes(def.check)

const isRecord = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
