import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { uploads as limits } from '@neuroloom/contract/limits'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { headersOf, makeServer, type Session, type TestServer } from '../../../../test/harness.ts'
import { sha256, tusCreate } from '../../../../test/uploads.ts'
import { stagingFolder } from './uploads.ts'

let server: TestServer
let member: Session
beforeAll(async () => {
  server = await makeServer()
  member = await server.signUp({ vipLevel: 2 })
})
afterAll(() => server.close())

type Part = { upload: string; bytes: Buffer; checksum?: string; sizeBytes?: number }

async function send(session: Session | null, parts: Part[], rest = Buffer.alloc(0)) {
  const files = parts.map(({ upload, bytes, checksum, sizeBytes }) => ({
    upload,
    sizeBytes: sizeBytes ?? bytes.length,
    checksum: checksum ?? sha256(bytes),
  }))
  const response = await fetch(`${server.url}/AI/api/chunk/bundle`, {
    method: 'POST',
    headers: { ...headersOf(session), 'Content-Type': 'application/octet-stream' },
    body: Buffer.concat([
      Buffer.from(`${JSON.stringify({ files })}\n`),
      ...parts.map(({ bytes }) => bytes),
      rest,
    ]),
  })
  // The envelope of every answer.
  return (await response.json()) as { code: number; data: { taken?: string[]; error?: string } }
}

/** Announces so many files of a new folder; answers what would be sent of them. */
async function announce(session: Session, folder: string, count: number, parentId: string | null = null) {
  const contents = Array.from({ length: count }, (_, index) => randomBytes(index * 7))
  const { data } = await server.call(
    'files/prepare',
    {
      parentId,
      sameName: 'rename',
      files: contents.map((bytes, index) => ({ path: `${folder}/${index}.bin`, sizeBytes: bytes.length })),
    },
    session,
  )
  const parts = contents.map((bytes, index): Part => ({ upload: data.uploads[index] ?? '', bytes }))
  return { parts, folderId: data.folderId ?? '' }
}

const entries = async (session: Session, folderId: string) =>
  (await server.call('files/list', { folderId }, session)).data.entries
const staged = () => readdir(stagingFolder(server.ctx))

describe('a bundle of small files', () => {
  it('makes a file of each, with its bytes, and leaves nothing behind', async () => {
    const { parts, folderId } = await announce(member, 'many', 30)
    const { data } = await send(member, parts)
    expect(data.taken).toEqual(expect.arrayContaining(parts.map(({ upload }) => upload)))
    const found = await entries(member, folderId)
    expect(found).toHaveLength(30)
    for (const { id, name } of found.slice(0, 5)) {
      const { data: link } = await server.call('files/open', { id, download: true }, member)
      const bytes = Buffer.from(await (await fetch(server.url + link.url)).arrayBuffer())
      expect(bytes.equals(parts[Number.parseInt(name, 10)]?.bytes ?? Buffer.alloc(1))).toBe(true)
    }
    expect(await staged()).toEqual([])
  })

  it('sent again, since the answer was lost, takes nothing twice', async () => {
    const { parts, folderId } = await announce(member, 'again', 3)
    await send(member, parts)
    const { data } = await send(member, parts)
    expect(data.taken).toHaveLength(3)
    expect(await entries(member, folderId)).toHaveLength(3)
  })

  it('leaves to tus what is not as announced, and takes the rest', async () => {
    const { parts, folderId } = await announce(member, 'mixed', 4)
    const [empty, wrong, begun, unknown] = parts
    if (!empty || !wrong || !begun || !unknown) throw new Error('four were announced')
    await tusCreate(server, member, { upload: begun.upload, bytes: begun.bytes.subarray(0, 5), total: 14 })
    const { data } = await send(member, [
      empty,
      { ...wrong, checksum: sha256(Buffer.from('other')) },
      begun,
      { ...unknown, upload: 'nobody-knows-this' },
    ])
    expect(data.taken).toEqual([empty.upload])
    expect((await entries(member, folderId)).map(({ name }) => name)).toEqual(['0.bin'])
  })

  it('takes only what the caller announced', async () => {
    const stranger = await server.signUp({ vipLevel: 2 })
    const { parts, folderId } = await announce(member, 'own', 2)
    expect((await send(stranger, parts)).data.taken).toEqual([])
    expect((await send(null, parts)).data.error).toBe('not_signed_in')
    expect(await entries(member, folderId)).toEqual([])
  })

  it('that is not what its first line says, or too much of it, is refused whole', async () => {
    const { parts, folderId } = await announce(member, 'wrong', 2)
    const [first, second] = parts
    if (!first || !second) throw new Error('two were announced')
    expect((await send(member, [first, second], Buffer.from('more'))).data.error).toBe('bad_request')
    expect((await send(member, [second, second])).data.error).toBe('bad_request')
    expect((await send(member, [{ ...second, sizeBytes: 99 }])).data.error).toBe('bad_request')
    expect((await send(member, [])).data.error).toBe('bad_request')
    const many = Array.from({ length: limits.bundleFiles + 1 }, (_, n) => ({ ...first, upload: `${n}` }))
    expect((await send(member, many)).data.error).toBe('bad_request')
    const large = { ...second, bytes: Buffer.alloc(limits.bundleBytes + 20_000) }
    expect((await send(member, [large])).data.error).toBe('too_large')
    expect(await entries(member, folderId)).toEqual([])
  })
})
