/** What a body may cost: lengths before contents, few looks at a list that is wrong, small bodies without an account. */
import { calls, type Path } from '@neuroloom/contract/calls'
import { requests } from '@neuroloom/contract/limits'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { makeServer, type TestServer } from '../../test/harness.ts'
import { rows } from '../app.ts'
import { parseInSlices } from './parse-in-slices.ts'

let server: TestServer
beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())

const post = async (
  path: string,
  body: string | URLSearchParams,
  headers: Record<string, string> = {},
  url = server.url,
) => {
  const type = typeof body === 'string' ? { 'content-type': 'application/json' } : {}
  const init = { method: 'POST', headers: { ...type, ...headers }, body }
  const answer = await fetch(`${url}/AI/api/${path}`, init)
  return { status: answer.status, ...((await answer.json()) as Refusal) }
}
/** The envelope of every failure. */
type Refusal = { code: number; data: { error?: string; fields?: Record<string, string> } }

describe('a large body', () => {
  const schema = z.object({
    name: z.string().min(1),
    list: z.array(z.object({ numbers: z.array(z.int()).max(50_000) })).max(3),
    ids: z.array(z.string().min(1)).min(1).max(20_000).optional(),
    choice: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('one') }),
      z.object({ kind: z.literal('many'), numbers: z.array(z.int()).max(10) }),
    ]),
    page: z.int().default(1),
  })

  it('gives what the schema gives, defaults and unknown fields included', async () => {
    const body = {
      name: 'a',
      list: [{ numbers: [1, 2], further: 1 }, { numbers: [] }],
      choice: { kind: 'many', numbers: [3] },
      stray: true,
    }
    expect(await parseInSlices(schema, body)).toEqual({ data: schema.parse(body), issues: [] })
    expect((await parseInSlices(schema, { ...body, ids: ['x'] })).data).toEqual(
      schema.parse({ ...body, ids: ['x'] }),
    )
  })

  it('names each wrong field, and of each list the first wrong entry alone', async () => {
    const body = {
      name: '',
      list: [{ numbers: [1, 'x', 'y'] }, { numbers: ['z'] }],
      ids: ['a', '', ''],
      choice: { kind: 'neither' },
    }
    const { issues } = await parseInSlices(schema, body)
    expect(issues.map(({ path }) => path.join('.'))).toEqual([
      'name',
      'list.0.numbers.1',
      'ids.1',
      'choice.kind',
    ])
  })

  it.each([
    [{ ids: [] }, 'ids'],
    [{ list: 7 }, 'list'],
    [{ list: [{}, {}, {}, {}] }, 'list'],
    [{ choice: null }, 'choice'],
  ])('refuses %j as the schema does', async (change, path) => {
    const body = { name: 'a', list: [], choice: { kind: 'one' }, ...change }
    const { issues } = await parseInSlices(schema, body)
    expect(issues.map((issue) => issue.path.join('.'))).toEqual([path])
    expect(issues).toEqual(schema.safeParse(body).error?.issues)
  })
})

describe('every list of every call, full of wrong values', () => {
  const lists = Object.entries(calls).flatMap(([path, { request }]) =>
    listsIn(request).map((list) => ({ name: `${path} ${list.path.join('.')}`, request, ...list })),
  )

  it('is one of many', () => {
    expect(lists.length).toBeGreaterThan(50)
  })

  it.each(lists)('$name is refused after few entries, and before any where it is too long', async (list) => {
    // `Symbol` is no JSON: it is wrong wherever it stands.
    const full = counted(Array.from({ length: list.most }, () => Symbol('wrong')))
    const found = await parseInSlices(list.request, bodyWith(list.path, full.list))
    expect(found.issues.length).toBeGreaterThan(0)
    expect(found.issues.length).toBeLessThan(requests.issues)
    expect(full.count()).toBeLessThanOrEqual(FEW)
    const long = counted(Array.from({ length: list.most + 1 }, () => Symbol('wrong')))
    await parseInSlices(list.request, bodyWith(list.path, long.list))
    expect(long.count()).toBe(0)
  })
})

describe('every record of every call', () => {
  const records = Object.entries(calls).flatMap(([path, { request }]) =>
    recordsIn(request).map((record) => ({ name: `${path} ${record.path.join('.')}`, request, ...record })),
  )

  it.each(records)('$name is refused before any entry where it has too many', async (record) => {
    let looks = 0
    const entries = Array.from({ length: record.most + 1 }, (_, index) => [`key${index}`, Symbol('wrong')])
    const full = new Proxy(Object.fromEntries(entries), {
      get(target, key) {
        looks += 1
        return Reflect.get(target, key)
      },
    })
    const { issues } = await parseInSlices(record.request, bodyWith(record.path, full))
    expect(issues.some(({ code, path }) => code === 'too_big' && path.at(-1) === record.path.at(-1))).toBe(
      true,
    )
    expect(looks).toBe(0)
  })
})

describe('a call that anyone may make', () => {
  const open = Object.keys(rows)
    .filter((path): path is Path => Object.hasOwn(calls, path))
    .filter((path) => rows[path].access === 'anyone')

  it.each(open)('%s takes no more than 16 KB, as JSON or as a form', async (path) => {
    const text = 'x'.repeat(requests.smallBytes)
    expect(await post(path, JSON.stringify({ text }))).toMatchObject({ status: 413, code: 10413 })
    expect(await post(path, new URLSearchParams({ text }))).toMatchObject({ status: 413, code: 10413 })
  })

  it.each(open)('%s fits whatever its form allows, in any script', (path) => {
    expect(largestBytes(calls[path].request)).toBeLessThan(requests.smallBytes)
  })

  it('counts unknown fields and refuses many of them', async () => {
    const further = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`f${index}`, 1]))
    const few = Object.fromEntries(Object.entries(further).slice(0, 50))
    expect(await post('setting/public', JSON.stringify(few))).toMatchObject({ code: 10200 })
    const refused = { code: 10422, data: { fields: { body: 'form.too_big' } } }
    expect(await post('setting/public', JSON.stringify(further))).toMatchObject(refused)
  })
})

describe('large bodies full of wrong values, one after the other', () => {
  const wide = JSON.stringify(
    Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`f${index}`, 1])),
  )
  const uploads = JSON.stringify({ uploads: Array.from({ length: 5000 }, () => 0) })

  it('are refused unread after some, of an address without an account and of a member alone', async () => {
    const own = await makeServer()
    const session = await own.signUp()
    const other = await own.signUp()
    const headersOf = ({ token, userId }: typeof session) => ({ token, userId })
    const ask = (path: string, body: string, headers = {}) => post(path, body, headers, own.url)
    try {
      for (let sent = 0; sent < requests.wrongPerMinute; sent += 1) {
        expect(await ask('setting/public', wide)).toMatchObject({ code: 10422 })
        expect(await ask('files/cancel', uploads, headersOf(session))).toMatchObject({ code: 10422 })
      }
      const unread = { data: { error: 'rate_limited' } }
      expect(await ask('setting/public', wide)).toMatchObject(unread)
      expect(await ask('files/cancel', uploads, headersOf(session))).toMatchObject(unread)
      // Others are heard, and so is whatever is small.
      expect(await ask('files/cancel', uploads, headersOf(other))).toMatchObject({ code: 10422 })
      expect(await ask('setting/public', '{}')).toMatchObject({ code: 10200 })
      expect(await ask('files/cancel', '{"uploads":[]}', headersOf(session))).toMatchObject({ code: 10422 })
      own.forward(60_000)
      expect(await ask('files/cancel', uploads, headersOf(session))).toMatchObject({ code: 10422 })
    } finally {
      await own.close()
    }
  })
})

describe('a signed-in call', () => {
  it('answers a list full of wrong values with few of its fields', async () => {
    const session = await server.signUp()
    const uploads = Array.from({ length: 20_000 }, () => 0)
    const headers = { token: session.token, userId: session.userId }
    const { code, data } = await post('files/cancel', JSON.stringify({ uploads }), headers)
    expect([code, data.fields]).toEqual([10422, { 'uploads.0': 'form.invalid' }])
    const small = await post('files/cancel', JSON.stringify({ uploads: uploads.slice(0, 5000) }), headers)
    expect(Object.keys(small.data.fields ?? {})).toHaveLength(requests.issues)
  })

  it('refuses a deep list in place of the own number', async () => {
    const session = await server.signUp()
    const deep = `{"userId":${'['.repeat(20_000)}${']'.repeat(20_000)}}`
    const answer = await post('user/info', deep, { token: session.token, userId: session.userId })
    expect(answer).toMatchObject({ status: 200, data: { error: 'not_allowed' } })
  })
})

/** Each reading of a choice looks at the first entry. */
const FEW = 8

function counted(entries: unknown[]) {
  let looks = 0
  const list = new Proxy(entries, {
    get(target, key) {
      if (typeof key === 'string' && /^\d+$/.test(key)) looks += 1
      return Reflect.get(target, key)
    },
  })
  return { list, count: () => looks }
}

type Part = { path: string[]; most: number }
const LIST = '[]'

function listsIn(schema: z.core.$ZodType, path: string[] = []): Part[] {
  if (schema instanceof z.ZodArray) {
    return [{ path, most: lengthOf(schema) }, ...listsIn(schema.element, [...path, LIST])]
  }
  return insideOf(schema).flatMap(([key, inner]) => listsIn(inner, [...path, ...key]))
}

function recordsIn(schema: z.core.$ZodType, path: string[] = []): Part[] {
  if (schema instanceof z.ZodRecord) return [{ path, most: Number(schema.meta()?.maxProperties) }]
  if (schema instanceof z.ZodArray) return recordsIn(schema.element, [...path, LIST])
  return insideOf(schema).flatMap(([key, inner]) => recordsIn(inner, [...path, ...key]))
}

const lengthOf = (schema: z.ZodArray): number =>
  Math.min(
    ...(schema.def.checks ?? []).map(({ _zod: { def } }) =>
      'maximum' in def
        ? Number(def.maximum)
        : 'length' in def
          ? Number(def.length)
          : Number.POSITIVE_INFINITY,
    ),
  )

/** Of a choice by a name, the name is a part of the way: `kind=many`. */
function insideOf(schema: z.core.$ZodType): [string[], z.core.$ZodType][] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return [[[], schema.unwrap()]]
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) return [[[], schema.unwrap()]]
  if (schema instanceof z.ZodObject)
    return Object.entries<z.core.$ZodType>(schema.shape).map(([name, field]) => [[name], field])
  if (schema instanceof z.ZodDiscriminatedUnion)
    return schema.options.map((option) => [[nameOf(option, schema.def.discriminator)], option])
  return schema instanceof z.ZodUnion ? schema.options.map((option) => [[], option]) : []
}

function nameOf(option: z.core.$ZodType, discriminator: string): string {
  const field = option instanceof z.ZodObject ? option.shape[discriminator] : null
  const [value] = field instanceof z.ZodLiteral ? [...field.values] : [null]
  return `${discriminator}=${String(value)}`
}

/** A body in which nothing stands but this. */
function bodyWith(path: readonly string[], value: unknown): unknown {
  const [key, ...rest] = path
  if (key === undefined) return value
  const inner = bodyWith(rest, value)
  if (key === LIST) return [inner]
  const [name = '', said] = key.split('=')
  if (said === undefined || typeof inner !== 'object') return { [key]: inner }
  return { ...inner, [name]: /^\d+$/.test(said) ? Number(said) : said }
}

/** Bytes of the largest body: every text as long as it may be, and in letters of three bytes where these are usual. */
function largestBytes(schema: z.core.$ZodType, name = ''): number {
  if (schema instanceof z.ZodString) return (schema.maxLength ?? 100) * (PLAIN.has(name) ? 1 : 3)
  return insideOf(schema).reduce((sum, [[key = name], inner]) => {
    // Quotes, a colon and a comma.
    const marks = key === name ? 0 : key.length + 6
    return sum + marks + largestBytes(inner, key)
  }, 0)
}

const PLAIN = new Set(['proof', 'password', 'key', 'code', 'closing', 'token', 'pass'])
