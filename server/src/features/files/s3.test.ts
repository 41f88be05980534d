import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { files as limits } from '@neuroloom/contract/limits'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { idAt } from '../../../test/cloud.ts'
import { makeServer, type Session, type TestServer } from '../../../test/harness.ts'
import { type S3Server, startS3 } from '../../../test/s3-server.ts'
import { unzip } from '../../../test/unzip.ts'
import { sha256, tusCreate, upload } from '../../../test/uploads.ts'
import { features } from '../../features.ts'
import { closeContext, createContext } from '../../infra/context.ts'
import { forgetRemoved } from '../../infra/removed.ts'
import { sweepOrphans, thumbnailPath } from '../../infra/storage/blobs.ts'

let s3: S3Server
let server: TestServer
beforeAll(async () => {
  s3 = await startS3()
  server = await makeServer({ s3: s3.config })
})
afterAll(async () => {
  await server.close()
  await s3.close()
})
afterEach(() => {
  s3.fate = () => undefined
})

const at = (session: Session, path: string) => idAt(server, session, path)
const link = async (session: Session, path: string): Promise<string> => {
  const id = await at(session, path)
  return server.url + (await server.call('files/open', { id, download: true }, session)).data.url
}
const stored = (bytes: Uint8Array): number =>
  [...s3.objects.keys()].filter((key) => key.includes(sha256(bytes, 'hex'))).length

it('uploads, downloads whole and in ranges, packs and forgets files whose bytes lie in S3', async () => {
  const me = await server.signUp()
  const [picture, text] = [randomBytes(3_000_000), Buffer.from('a report')]
  const files = [
    { path: 'set/picture.bin', bytes: picture },
    { path: 'set/肺/report.txt', bytes: text },
    { path: 'set/copy.txt', bytes: text },
    { path: 'set/empty.txt', bytes: Buffer.alloc(0) },
  ]
  await upload(server, me, { files })
  expect([stored(picture), stored(text)]).toEqual([1, 1])

  const url = await link(me, 'set/picture.bin')
  expect(Buffer.from(await (await fetch(url)).arrayBuffer()).equals(picture)).toBe(true)
  const part = await fetch(url, { headers: { range: 'bytes=1000000-1999999' } })
  expect([part.status, part.headers.get('content-range')]).toEqual([206, 'bytes 1000000-1999999/3000000'])
  expect(Buffer.from(await part.arrayBuffer()).equals(picture.subarray(1_000_000, 2_000_000))).toBe(true)

  const { data } = await server.call('files/download', { ids: [await at(me, 'set')] }, me)
  const found = await unzip(Buffer.from(await (await fetch(server.url + data.url)).arrayBuffer()))
  expect(files.every(({ path, bytes }) => found.get(path)?.bytes.equals(bytes))).toBe(true)

  await server.call('files/remove', { ids: [await at(me, 'set/copy.txt')] }, me)
  await server.call('files/purge', { ids: null }, me)
  server.forward(2 * limits.orphanMs)
  await sweepOrphans(server.ctx)
  // Another file has the same bytes.
  expect(stored(text)).toBe(1)
  await server.call('files/remove', { ids: [await at(me, 'set')] }, me)
  await server.call('files/purge', { ids: null }, me)
  server.forward(2 * limits.orphanMs)
  await sweepOrphans(server.ctx)
  expect([stored(picture), stored(text)]).toEqual([0, 0])
})

it('what another machine keeps of removed bytes goes at once, or when that machine listens again', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'neuroloom-other-'))
  const open = async () => {
    const other = await createContext({ ...server.ctx.config, dataDir }, { log: server.ctx.log, features })
    forgetRemoved(other)
    await other.listener.ready()
    return other
  }
  const me = await server.signUp()
  const [first, second, staying] = [randomBytes(1000), randomBytes(1000), randomBytes(1000)]
  const files = [first, second, staying].map((bytes, index) => ({ path: `${index}.bin`, bytes }))
  await upload(server, me, { files })
  const remove = async (path: string) => {
    await server.call('files/remove', { ids: [await at(me, path)] }, me)
    await server.call('files/purge', { ids: null }, me)
    server.forward(2 * limits.orphanMs)
    await sweepOrphans(server.ctx)
  }
  const digest = (bytes: Buffer) => sha256(bytes, 'hex')

  let other = await open()
  for (const bytes of [first, second, staying])
    await other.storage.linkInto(digest(bytes), join(dataDir, digest(bytes)))
  const thumbnail = thumbnailPath(dataDir, digest(first))
  await mkdir(dirname(thumbnail), { recursive: true })
  await writeFile(thumbnail, 'small')
  await remove('0.bin')
  await expect.poll(() => other.storage.kept()).not.toContain(digest(first))
  await expect.poll(() => existsSync(thumbnail)).toBe(false)
  expect((await other.storage.kept()).sort()).toEqual([digest(second), digest(staying)].sort())

  await closeContext(other)
  await remove('1.bin')
  other = await open()
  await expect.poll(() => other.storage.kept()).toEqual([digest(staying)])
  await closeContext(other)
  await rm(dataDir, { recursive: true, force: true })
})

it('an upload that the store refuses for a while is finished by its last chunk, sent again', async () => {
  const me = await server.signUp()
  const bytes = randomBytes(2000)
  const { data } = await server.call(
    'files/prepare',
    { parentId: null, sameName: 'rename', files: [{ path: 'a.bin', sizeBytes: 2000 }] },
    me,
  )
  const number = data.uploads[0] ?? ''
  s3.fate = () => ({ kind: 'error', status: 403, code: 'AccessDenied' })
  const refused = await tusCreate(server, me, { upload: number, bytes })
  expect(refused.status).toBe(500)
  expect(await refused.text()).not.toContain('AccessDenied')
  s3.fate = () => undefined
  expect((await tusCreate(server, me, { upload: number, bytes })).status).toBe(201)
  const whole = await fetch(await link(me, 'a.bin'))
  expect(Buffer.from(await whole.arrayBuffer()).equals(bytes)).toBe(true)
})

it('a download that nobody takes any more ends the request to the store', async () => {
  const me = await server.signUp()
  await upload(server, me, { files: [{ path: 'long.bin', bytes: randomBytes(7_000_000) }] })
  const url = await link(me, 'long.bin')
  const left = new AbortController()
  const reading = await fetch(url, { signal: left.signal })
  await reading.body?.getReader().read()
  expect(s3.open()).toBe(1)
  left.abort()
  await expect.poll(() => s3.open()).toBe(0)
})

it('a download cut by the store goes on; one that it cannot give is cut, never ended as if whole', async () => {
  const me = await server.signUp()
  const bytes = randomBytes(1_000_000)
  await upload(server, me, { files: [{ path: 'cut.bin', bytes }] })
  const url = await link(me, 'cut.bin')
  let times = 0
  s3.fate = () => (times++ === 0 ? { kind: 'cut-back', after: 300_000 } : undefined)
  expect(Buffer.from(await (await fetch(url)).arrayBuffer()).equals(bytes)).toBe(true)
  times = 0
  s3.fate = () =>
    times++ === 0
      ? { kind: 'cut-back', after: 300_000 }
      : { kind: 'error', status: 403, code: 'AccessDenied' }
  await expect(fetch(url).then((response) => response.arrayBuffer())).rejects.toThrow()
})
