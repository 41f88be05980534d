import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Fate, type S3Server, startS3 } from '../../../test/s3-server.ts'
import { storageSuite } from '../../../test/storage-suite.ts'
import { readConfig } from '../../config.ts'
import { createS3Storage } from './s3.ts'
import { checkS3 } from './s3-check.ts'
import type { Storage } from './storage.ts'

const MEGABYTE = 1024 * 1024
const hurried = { idleMs: 1000, attempts: 3, retryMs: 5, partBytes: 5 * MEGABYTE }

let s3: S3Server
beforeAll(async () => {
  s3 = await startS3()
})
afterAll(() => s3.close())

storageSuite('the S3 store', (folder) => createS3Storage(s3.config, folder, hurried))

// With `S3_BUCKET=… S3_ENDPOINT=… npx vitest run --root server storage-s3` also a real one, below a prefix of its own.
const ownVariables = Object.entries(process.env).filter(([name]) => name.startsWith('S3_'))
const real = readConfig(Object.fromEntries(ownVariables)).s3
if (real) {
  const prefix = `${real.prefix}test-${randomBytes(4).toString('hex')}/`
  storageSuite('the configured S3 store', (folder) => createS3Storage({ ...real, prefix }, folder))
}

describe('the S3 store', () => {
  let folder: string
  let storage: Storage
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'neuroloom-store-'))
    storage = await createS3Storage({ ...s3.config, prefix: 'ward/3/' }, folder, hurried)
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))
  afterEach(() => {
    s3.fate = () => undefined
    s3.pageSize = 1000
    s3.seen.length = 0
  })

  const stage = async (bytes: Buffer): Promise<{ path: string; sha256: string }> => {
    const path = join(storage.stagingFolder, randomBytes(8).toString('hex'))
    await writeFile(path, bytes)
    return { path, sha256: createHash('sha256').update(bytes).digest('hex') }
  }
  const adopt = async (bytes: Buffer): Promise<string> => {
    const { path, sha256 } = await stage(bytes)
    await storage.adopt(path, sha256)
    return sha256
  }
  /** As long as it lasts, for requests of one kind. */
  const fail = (method: string, fates: Fate[]): void => {
    const left = [...fates]
    s3.fate = (request) => (request.method === method ? left.shift() : undefined)
  }
  const isStored = (sha256: string): Promise<boolean> =>
    storage.size(sha256).then(
      () => true,
      () => false,
    )
  const busy: Fate = { kind: 'error', status: 503, code: 'SlowDown' }
  const broken: Fate = { kind: 'error', status: 500, code: 'InternalError' }
  const large = randomBytes(12 * MEGABYTE)

  test.each<[string, Buffer, Fate[]]>([
    ['a busy and a broken store', randomBytes(50), [busy, broken]],
    ['a line cut on the way there', randomBytes(MEGABYTE), [{ kind: 'cut-there', after: 100_000 }]],
    ['a part cut on the way there', large, [{ kind: 'cut-there', after: 100_000 }]],
    ['a lost answer', randomBytes(50), [{ kind: 'answer-lost' }]],
  ])('sends again after %s', async (_, bytes, fates) => {
    fail('PUT', fates)
    const sha256 = await adopt(bytes)
    expect((await buffer(storage.read(sha256))).equals(bytes)).toBe(true)
  })

  test('knows a large file as sent although the answer to its last word was lost', async () => {
    const bytes = randomBytes(11 * MEGABYTE)
    let times = 0
    s3.fate = ({ method, query }) =>
      method === 'POST' && query.has('uploadId') && times++ === 0 ? { kind: 'answer-lost' } : undefined
    const sha256 = await adopt(bytes)
    expect((await buffer(storage.read(sha256))).equals(bytes)).toBe(true)
  })

  test.each<[string, Buffer]>([
    ['a small', randomBytes(50)],
    ['a large', large.subarray(1)],
  ])(
    'gives %s file up when the store stays broken: nothing is kept, and the staged file stays',
    async (_, bytes) => {
      const { path, sha256 } = await stage(bytes)
      s3.fate = ({ method }) => (method === 'PUT' ? broken : undefined)
      await expect(storage.adopt(path, sha256)).rejects.toMatchObject({ statusCode: 503 })
      s3.fate = () => undefined
      expect(await isStored(sha256)).toBe(false)
      expect(s3.uploads.size).toBe(0)
      expect((await readFile(path)).equals(bytes)).toBe(true)
      await storage.adopt(path, sha256)
      expect(await isStored(sha256)).toBe(true)
    },
  )

  test('a refusal is not tried again, and says neither key nor signature', async () => {
    const { path, sha256 } = await stage(randomBytes(50))
    s3.fate = () => ({ kind: 'error', status: 403, code: 'AccessDenied' })
    const error: Error = await storage.adopt(path, sha256).catch((one) => one)
    expect(error.message).toContain('AccessDenied')
    expect(s3.seen).toHaveLength(1)
    expect(JSON.stringify([error, error.stack, error.cause])).not.toContain(s3.config.secretAccessKey)
  })

  test.each<[string, Fate[], number]>([
    [
      'a line cut twice on the way back',
      [
        { kind: 'cut-back', after: 3 * MEGABYTE },
        { kind: 'cut-back', after: MEGABYTE },
      ],
      3,
    ],
    ['an answer that stands still', [{ kind: 'stand-still', after: MEGABYTE }], 2],
    ['errors of the store', [broken, busy], 3],
  ])('goes on reading where it was after %s', async (_, fates, requests) => {
    const sha256 = await adopt(large)
    s3.seen.length = 0
    const left = [...fates]
    s3.fate = ({ key }) => (key === '' ? undefined : left.shift())
    expect((await buffer(storage.read(sha256))).equals(large)).toBe(true)
    const reads = s3.seen.filter(({ key }) => key !== '')
    expect(reads).toHaveLength(requests)
    expect(reads.filter(({ range }) => range === undefined)).toHaveLength(fates.includes(broken) ? 3 : 1)
  })

  test('a range is asked for as one, also after a cut', async () => {
    const sha256 = await adopt(large)
    fail('GET', [{ kind: 'cut-back', after: 1000 }])
    const part = await buffer(storage.read(sha256, { start: 5_000_000, end: 5_099_999 }))
    expect(part.equals(large.subarray(5_000_000, 5_100_000))).toBe(true)
    expect(s3.seen.at(-1)?.range).toBe('bytes=5001000-5099999')
  })

  test('reading ends in an error, never short, where the store stays away', async () => {
    const sha256 = await adopt(large)
    s3.fate = ({ key }) => (key === '' ? undefined : { kind: 'cut-back', after: 0 })
    await expect(buffer(storage.read(sha256))).rejects.toMatchObject({ statusCode: 503 })
  })

  test('a reader who leaves ends the request; one who never begins sends none', async () => {
    const sha256 = await adopt(large)
    s3.seen.length = 0
    storage.read(sha256).destroy()
    expect(s3.seen).toHaveLength(0)
    const reading = storage.read(sha256)
    await once(reading, 'readable')
    expect(s3.open()).toBe(1)
    reading.destroy()
    await vi.waitUntil(() => s3.open() === 0, { timeout: 60_000, interval: 10 })
  })

  test('a slow reader gets all although the store does not wait for him', async () => {
    const sha256 = await adopt(large)
    const reading = storage.read(sha256)
    await once(reading, 'readable')
    // habit: a reader who is slower than the store, by twice its patience
    await new Promise((resolve) => setTimeout(resolve, 2 * hurried.idleMs))
    expect((await buffer(reading)).equals(large)).toBe(true)
  })

  test('of the same bytes adopted often at once one object is left', async () => {
    const bytes = randomBytes(100)
    const [sha256] = await Promise.all(Array.from({ length: 8 }, () => adopt(bytes)))
    const left = [...s3.objects.keys()].filter((key) => key.startsWith(`ward/3/${sha256}/`))
    expect(left).toHaveLength(1)
  })

  test('removal by name: bytes adopted between the look and the deletion stay', async () => {
    const bytes = randomBytes(100)
    const sha256 = await adopt(bytes)
    const decided = new Date(Date.now() + 1)
    await vi.waitUntil(() => new Date() > decided, { timeout: 60_000, interval: 1 })
    const { path } = await stage(bytes)
    let adopted: Promise<void> | undefined
    s3.fate = async ({ method }) => {
      if (method !== 'DELETE' || adopted) return undefined
      // The removal has looked, and its first deletion waits for a whole adoption.
      adopted = storage.adopt(path, sha256)
      await adopted
      return undefined
    }
    await storage.remove(sha256, decided)
    await adopted
    expect((await buffer(storage.read(sha256))).equals(bytes)).toBe(true)
  })

  test('lists over many pages, each digest once, and spares what others keep in the bucket', async () => {
    const sums: string[] = []
    for (let count = 0; count < 7; count += 1) sums.push(await adopt(randomBytes(20)))
    s3.objects.set('ward/3/report.pdf', Buffer.from('not ours'))
    s3.objects.set('ward/30/x', Buffer.from('not ours'))
    // As an adoption leaves it that was cut off before it could tidy up.
    const [twice] = sums
    const [older, bytes] = [...s3.objects].find(([key]) => key.includes(`${twice}/`)) ?? []
    s3.objects.set(`ward/3/${twice}/00000000000001-0123456789abcdef`, bytes ?? Buffer.alloc(0))
    s3.pageSize = 2
    const found: string[] = []
    for await (const { sha256, modifiedAt } of storage.all()) {
      found.push(sha256)
      expect(Math.abs(Date.now() - modifiedAt.getTime())).toBeLessThan(120_000)
    }
    expect(new Set(found).size).toBe(found.length)
    expect(found).toEqual(expect.arrayContaining(sums))
    const left = [...s3.objects.keys()]
    expect(left.filter((key) => key.includes(`${twice}/`))).toEqual([older])
    expect(left).toEqual(expect.arrayContaining(['ward/3/report.pdf', 'ward/30/x']))
  })

  test('what was sent or fetched once is linked without asking the store again', async () => {
    const bytes = randomBytes(1000)
    const sha256 = await adopt(bytes)
    s3.seen.length = 0
    await storage.linkInto(sha256, join(folder, 'first'))
    expect(s3.seen).toHaveLength(0)
    const elsewhere = await mkdtemp(join(tmpdir(), 'neuroloom-store-'))
    const other = await createS3Storage({ ...s3.config, prefix: 'ward/3/' }, elsewhere, hurried)
    fail('GET', [busy, { kind: 'cut-back', after: 10 }])
    const targets = ['1', '2', '3', '4'].map((name) => join(elsewhere, name))
    await Promise.all(targets.map((target) => other.linkInto(sha256, target)))
    for (const target of targets) expect((await readFile(target)).equals(bytes)).toBe(true)
    expect(s3.seen.length).toBeLessThanOrEqual(4)
    expect(await readdir(join(elsewhere, 's3-cache', sha256.slice(0, 2)))).toEqual([sha256])
    await rm(elsewhere, { recursive: true })
  })

  test('refuses to link bytes that are not those of their name', async () => {
    const { path } = await stage(Buffer.from('these'))
    const wrong = createHash('sha256').update('those').digest('hex')
    await storage.adopt(path, wrong)
    await rm(join(folder, 's3-cache'), { recursive: true })
    await expect(storage.linkInto(wrong, join(folder, 'wrong'))).rejects.toThrow('other bytes')
    expect(await readdir(join(folder, 's3-cache', wrong.slice(0, 2)))).toEqual([])
  })
})

describe('the look at the bucket at the start', () => {
  afterEach(() => {
    s3.fate = () => undefined
  })

  test('passes where all is well and leaves nothing behind', async () => {
    await checkS3({ ...s3.config, prefix: 'look/' }, hurried)
    expect([...s3.objects.keys()].filter((key) => key.startsWith('look/'))).toEqual([])
  })

  test.each<[string, object, Fate | undefined, string]>([
    ['a missing bucket', { bucket: 'nowhere' }, undefined, 'there is no bucket nowhere'],
    ['a key that may not', {}, { kind: 'error', status: 403, code: 'AccessDenied' }, 'allowed to list, read'],
    [
      'a wrong key',
      {},
      { kind: 'error', status: 403, code: 'SignatureDoesNotMatch' },
      'S3_SECRET_ACCESS_KEY',
    ],
    [
      'a broken store',
      {},
      { kind: 'error', status: 500, code: 'InternalError' },
      'cannot be reached or is not well',
    ],
    ['nobody there', { endpoint: 'http://127.0.0.1:9' }, undefined, 'cannot be reached or is not well'],
  ])('says in a sentence what is wrong: %s', async (_, change, fate, sentence) => {
    s3.fate = () => fate
    const checking = checkS3({ ...s3.config, secretAccessKey: 'very-secret', ...change }, hurried)
    const error: Error = await checking.then(
      () => new Error('passed'),
      (one) => one,
    )
    expect(error.message).toContain(
      `the S3 bucket ${'bucket' in change ? change.bucket : s3.config.bucket} cannot be used`,
    )
    expect(error.message).toContain(sentence)
    expect(`${error.stack}${String(error.cause)}`).not.toContain('very-secret')
  })
})
