import type { DeidentificationRecord } from '@neuroloom/contract/deidentification'
import { deidentification as limits } from '@neuroloom/contract/limits'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../../test/harness.ts'
import { unzip } from '../../../../test/unzip.ts'
import { upload } from '../../../../test/uploads.ts'
import { eraseOf } from '../erase.ts'
import { sweepRecords } from './deidentification.ts'
import { deidentificationKeys, deidentifications } from './deidentification-tables.ts'

let server: TestServer
beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())

describe('the record of a file', () => {
  it('belongs to the bytes that were sent, under whatever name, and to no other bytes', async () => {
    const member = await server.signUp()
    const record = await makeRecord('some bytes')
    expect(await keep(member, [record])).toMatchObject({ code: 10200, data: { recorded: 1 } })
    const id = await store(member, 'a.dcm', 'some bytes')
    const other = await store(member, 'b.dcm', 'other bytes')

    const found = (await server.call('files/deidentification', { id }, member)).data.record
    expect(found).toEqual({ ...record, recordedAt: expect.stringMatching(/^\d{4}-/) })
    expect((await server.call('files/deidentification', { id: other }, member)).data.record).toBeNull()

    await server.call('files/rename', { id, name: 'c.dcm' }, member)
    expect((await server.call('files/deidentification', { id }, member)).data.record).not.toBeNull()
  })

  it('shows among what was done with the file', async () => {
    const member = await server.signUp()
    await keep(member, [await makeRecord('listed')])
    await store(member, 'a.dcm', 'listed')
    await store(member, 'b.txt', 'as it was')
    const { records } = (await server.call('files/records', {}, member)).data
    expect(records.map(({ action, name }) => `${action} ${name}`).sort()).toEqual([
      ...['deidentify a.dcm', 'upload a.dcm', 'upload b.txt'],
    ])
  })

  it('stays with its first time when the same bytes are sent again', async () => {
    const member = await server.signUp()
    const record = await makeRecord('twice')
    await keep(member, [record])
    const id = await store(member, 'a.dcm', 'twice')
    const first = (await server.call('files/deidentification', { id }, member)).data.record
    server.forward(60_000)
    expect((await keep(member, [record])).data.recorded).toBe(0)
    expect((await server.call('files/deidentification', { id }, member)).data.record).toEqual(first)
  })

  it('is nothing to those who may not see the file, and nothing without sign-in', async () => {
    const member = await server.signUp()
    const record = await makeRecord('mine')
    await keep(member, [record])
    const id = await store(member, 'a.dcm', 'mine')
    const stranger = await server.signUp()
    expect((await server.call('files/deidentification', { id }, stranger)).data.error).toBe('missing')
    expect((await server.call('files/deidentification', { id })).code).toBe(10401)
    expect((await server.call('files/deidentificationKey', {})).code).toBe(10401)
    expect((await server.call('files/recordDeidentification', { records: [record] })).code).toBe(10401)

    const same = await store(stranger, 'same.dcm', 'mine')
    expect((await server.call('files/deidentification', { id: same }, stranger)).data.record).toBeNull()
  })

  it('takes no free text: names of attributes in plain letters, numbers and sums', async () => {
    const member = await server.signUp()
    const record = await makeRecord('bad')
    const wrong: DeidentificationRecord[] = [
      { ...record, sha256: 'short' },
      { ...record, profile: 'line\nbreak' },
      { ...record, identifiers: { ...record.identifiers, study: 'not a uid' } },
      { ...record, identifiers: { ...record.identifiers, patient: 'Müller^Doctor' } },
      { ...record, attributes: [{ tag: '00100010', name: 'x'.repeat(81), action: 'emptied', count: 1 }] },
      { ...record, attributes: Array.from({ length: limits.attributes + 1 }, () => attribute) },
      { ...record, counts: { ...record.counts, removed: -1 } },
    ]
    for (const one of wrong) expect((await keep(member, [one])).code).toBe(10422)
    const many = Array.from({ length: limits.recordsPerCall + 1 }, () => record)
    expect((await keep(member, many)).code).toBe(10422)
    expect((await keep(member, [])).code).toBe(10422)
  })

  it('is forgotten when no file has its bytes, and kept while one has', async () => {
    const member = await server.signUp()
    await keep(member, [await makeRecord('never sent'), await makeRecord('sent')])
    await store(member, 'a.dcm', 'sent')
    await sweepRecords(server.ctx)
    expect(await countOf(member)).toBe(2)
    server.forward(limits.orphanMs + 1000)
    await sweepRecords(server.ctx)
    expect(await countOf(member)).toBe(1)
  })

  it('goes with the account, and comes along in what a member takes away', async () => {
    const member = await server.signUp()
    const record = await makeRecord('taken along')
    await keep(member, [record])
    await server.call('files/deidentificationKey', {}, member)
    const { url } = (await server.call('user/export', {}, member)).data
    const archive = await unzip(Buffer.from(await (await fetch(server.url + url)).arrayBuffer()))
    const list: unknown = JSON.parse(archive.get('deidentification.json')?.bytes.toString() ?? '')
    expect(list).toEqual([{ ...record, recordedAt: expect.any(String) }])

    await eraseOf(server.ctx, member.userId)
    expect(await countOf(member)).toBe(0)
    expect(
      await server.ctx.db.$count(deidentificationKeys, eq(deidentificationKeys.ownerId, member.userId)),
    ).toBe(0)
  })
})

it('each member has one key of their own, whoever asks first', async () => {
  const [one, other] = [await server.signUp(), await server.signUp()]
  const ask = async (who: Session) => (await server.call('files/deidentificationKey', {}, who)).data.key
  const keys = await Promise.all([ask(one), ask(one), ask(other)])
  expect(keys[0]).toMatch(/^[0-9a-f]{64}$/)
  expect(keys[1]).toBe(keys[0])
  expect(keys[2]).not.toBe(keys[0])
})

const attribute = { tag: '00100010', name: "Patient's Name", action: 'emptied', count: 1 } as const

async function makeRecord(content: string): Promise<DeidentificationRecord> {
  const bytes = new TextEncoder().encode(content)
  const sum = Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex')
  return {
    profile: 'PS3.15 2026c',
    sha256: sum,
    sizeBytes: bytes.length,
    counts: { removed: 3, emptied: 1, replaced: 2, newUids: 3, privateRemoved: 12, cleared: 0 },
    attributes: [attribute],
    identifiers: {
      study: '2.25.1',
      series: '2.25.2',
      instance: '2.25.3',
      patient: 'ANON-0123456789AB01234567',
    },
    pixels: { before: sum, after: sum },
    burnedInText: 'possible',
  }
}

const keep = (who: Session, records: DeidentificationRecord[]) =>
  server.call('files/recordDeidentification', { records }, who)

/** Uploads and finds the file's number. */
async function store(who: Session, name: string, content: string): Promise<string> {
  await upload(server, who, { files: [{ path: name, bytes: Buffer.from(content) }] })
  const listed = await server.call('files/list', { folderId: null, search: name }, who)
  return listed.data.entries.find((entry) => entry.name === name)?.id ?? ''
}

const countOf = (who: Session) =>
  server.ctx.db.$count(deidentifications, eq(deidentifications.ownerId, who.userId))
