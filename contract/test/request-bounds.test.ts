/** Whoever fills a request to its limits meets one: no list, record or text of any call grows without end. */
import { calls } from '@neuroloom/contract/calls'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'

const requests = Object.entries(calls).map(([path, { request }]) => [path, request] as const)

describe('every list, record and text of a request', () => {
  it.each(requests)('of %s has a limit', (path, request) => {
    expect(unboundedIn(request, path)).toEqual([])
  })

  it('is found by this test where it has none', () => {
    const request = z.object({
      list: z.array(z.int()),
      nested: z.array(z.object({ text: z.string() })).max(3),
      record: z.record(z.string().max(3), z.int()).default({}),
      spread: z.string().regex(/^[a-z]+$/),
      date: z.iso.datetime().nullable(),
      bounded: z.string().regex(/^#[0-9a-f+]{6}$/),
    })
    expect(unboundedIn(request, 'call')).toEqual([
      'call.list: list',
      'call.nested[].text: text',
      'call.record: record',
      'call.spread: text',
      'call.date: text',
    ])
  })
})

/** The server stops early in lists that stand below these alone. */
const CARRIERS = new Set(['object', 'array', 'optional', 'nullable', 'default', 'prefault', 'union'])
const LEAVES = new Set(['number', 'boolean', 'enum', 'literal', 'null', 'transform', 'template_literal'])

function unboundedIn(schema: z.core.$ZodType, path: string, above: readonly string[] = []): string[] {
  // The library's own definitions, whose kinds are told apart by `type`.
  const { def } = schema._zod as unknown as { def: Definition }
  const kind: string = def.type
  const inside = [...above, kind]
  const stray = def.type === 'array' || def.type === 'record' ? above.find((one) => !CARRIERS.has(one)) : null
  const found = stray ? [`${path}: ${def.type} in ${stray}`] : []
  switch (def.type) {
    case 'object':
      return Object.entries(def.shape).flatMap(([name, field]) =>
        unboundedIn(field, `${path}.${name}`, inside),
      )
    case 'array':
      if (longest(def) === null) found.push(`${path}: list`)
      return [...found, ...unboundedIn(def.element, `${path}[]`, inside)]
    case 'record':
      if (typeof z.globalRegistry.get(schema)?.maxProperties !== 'number') found.push(`${path}: record`)
      return [
        ...found,
        ...unboundedIn(def.keyType, `${path}{key}`, inside),
        ...unboundedIn(def.valueType, `${path}{}`, inside),
      ]
    case 'string':
      return longest(def) === null && !isShortPattern(def) ? [`${path}: text`] : []
    case 'union':
      return def.options.flatMap((option, index) => unboundedIn(option, `${path}|${index}`, inside))
    case 'tuple':
      return def.items.flatMap((item, index) => unboundedIn(item, `${path}.${index}`, inside))
    case 'pipe':
      return [def.in, def.out].flatMap((one) => unboundedIn(one, path, inside))
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
      return unboundedIn(def.innerType, path, inside)
    default:
      return LEAVES.has(kind) ? [] : [`${path}: ${kind} is unknown to this test`]
  }
}

type Checked = { checks?: z.core.$ZodCheck[]; pattern?: RegExp; format?: string }
type Definition =
  | { type: 'object'; shape: Record<string, z.core.$ZodType> }
  | ({ type: 'array'; element: z.core.$ZodType } & Checked)
  | { type: 'record'; keyType: z.core.$ZodType; valueType: z.core.$ZodType }
  | ({ type: 'string' } & Checked)
  | { type: 'union'; options: z.core.$ZodType[] }
  | { type: 'tuple'; items: z.core.$ZodType[] }
  | { type: 'pipe'; in: z.core.$ZodType; out: z.core.$ZodType }
  | { type: 'optional' | 'nullable' | 'default' | 'prefault'; innerType: z.core.$ZodType }

function longest({ checks = [] }: Checked): number | null {
  const limits = checks.flatMap(({ _zod: { def } }) => {
    if (def.check === 'max_length' && 'maximum' in def) return Number(def.maximum)
    return def.check === 'length_equals' && 'length' in def ? Number(def.length) : []
  })
  return limits.length > 0 ? Math.min(...limits) : null
}

/** A pattern over the whole text in which nothing repeats without a limit. */
function isShortPattern({ checks = [] }: Checked): boolean {
  return checks.some(({ _zod: { def } }) => {
    if (!('pattern' in def) || !(def.pattern instanceof RegExp)) return false
    const { source } = def.pattern
    const outside = source.replace(/\\./g, 'x').replace(/\[[^\]]*\]/g, 'x')
    return source.startsWith('^') && source.endsWith('$') && !/[*+]|\{\d+,\}/.test(outside)
  })
}
