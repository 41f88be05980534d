/** What every store must do; a new one joins by passing this. */
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Storage } from '../src/infra/storage/storage.ts'

/** More than one part where bytes are sent in parts. */
const LARGE = 12_000_000
const again = <T extends { stagedPath: string }>(one: T): T => ({
  ...one,
  stagedPath: `${one.stagedPath}-again`,
})
const sum = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

export function storageSuite(name: string, makeStorage: (folder: string) => Promise<Storage>): void {
  describe(name, () => {
    let folder: string
    let storage: Storage
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'neuroloom-store-'))
      storage = await makeStorage(folder)
    })
    afterAll(() => rm(folder, { recursive: true, force: true }))

    const stage = async (bytes: Buffer): Promise<{ path: string; sha256: string }> => {
      const path = join(storage.stagingFolder, randomBytes(8).toString('hex'))
      await writeFile(path, bytes)
      return { path, sha256: sum(bytes) }
    }
    const adopt = async (bytes: Buffer): Promise<string> => {
      const { path, sha256 } = await stage(bytes)
      await storage.adopt(path, sha256)
      return sha256
    }
    const list = async (): Promise<string[]> => {
      const names: string[] = []
      for await (const { sha256 } of storage.all()) names.push(sha256)
      return names.sort()
    }

    test('gives back what it was given, whole and in ranges', async () => {
      const bytes = randomBytes(100_000)
      const sha256 = await adopt(bytes)
      expect(await storage.size(sha256)).toBe(100_000)
      expect((await buffer(storage.read(sha256))).equals(bytes)).toBe(true)
      const middle = await buffer(storage.read(sha256, { start: 500, end: 599 }))
      expect(middle.equals(bytes.subarray(500, 600))).toBe(true)
    })

    test('takes the staged file away', async () => {
      const { path, sha256 } = await stage(randomBytes(10))
      await storage.adopt(path, sha256)
      await expect(stat(path)).rejects.toThrow('ENOENT')
    })

    test('keeps small ones together, and leaves nothing staged, not even of one that fails', async () => {
      const small = Array.from({ length: 20 }, (_, index) => {
        const bytes = randomBytes(1000)
        return { stagedPath: join(storage.stagingFolder, `small-${index}`), bytes, sha256: sum(bytes) }
      })
      await storage.keepAll([...small.slice(1), ...small.slice(1, 3).map(again)])
      for (const { bytes, sha256 } of small.slice(1))
        expect((await buffer(storage.read(sha256))).equals(bytes)).toBe(true)
      const [first] = small
      if (!first) throw new Error('None was made')
      const misplaced = { ...first, stagedPath: join(storage.stagingFolder, 'nowhere', 'small') }
      await expect(storage.keepAll([misplaced])).rejects.toThrow('ENOENT')
      await expect(storage.size(first.sha256)).rejects.toMatchObject({ code: 'ENOENT' })
      expect((await readdir(storage.stagingFolder)).filter((one) => one.startsWith('small'))).toEqual([])
    })

    test('keeps the same bytes once, also when they come twice at the same time', async () => {
      const before = await list()
      const bytes = randomBytes(1000)
      const [first, second] = await Promise.all([adopt(bytes), adopt(bytes)])
      expect(first).toBe(second)
      expect(await list()).toHaveLength(before.length + 1)
      expect((await buffer(storage.read(first))).equals(bytes)).toBe(true)
    })

    test('holds empty files', async () => {
      const sha256 = await adopt(Buffer.alloc(0))
      expect(await storage.size(sha256)).toBe(0)
      expect(await buffer(storage.read(sha256))).toHaveLength(0)
    })

    test('puts bytes where another program reads them, and they stay when the store forgets', async () => {
      const bytes = randomBytes(50)
      const sha256 = await adopt(bytes)
      const target = join(folder, 'linked')
      await storage.linkInto(sha256, target)
      await storage.remove(sha256)
      expect((await readFile(target)).equals(bytes)).toBe(true)
    })

    test('forgets, and says so for what it never had', async () => {
      const sha256 = await adopt(randomBytes(50))
      expect(await storage.remove(sha256)).toBe(true)
      expect(await storage.remove(sha256)).toBe(true)
      await expect(storage.size(sha256)).rejects.toMatchObject({ code: 'ENOENT' })
      await expect(buffer(storage.read(sha256))).rejects.toMatchObject({ code: 'ENOENT' })
      await expect(storage.linkInto(sha256, join(folder, 'missing'))).rejects.toMatchObject({
        code: 'ENOENT',
      })
      expect(await list()).not.toContain(sha256)
    })

    test('never links over what is there', async () => {
      const target = join(folder, 'taken')
      await writeFile(target, 'mine')
      const sha256 = await adopt(randomBytes(50))
      await expect(storage.linkInto(sha256, target)).rejects.toMatchObject({ code: 'EEXIST' })
      expect(await readFile(target, 'utf8')).toBe('mine')
    })

    test('gives back large bytes whole, to the last one, and from far inside', async () => {
      const bytes = randomBytes(LARGE)
      const sha256 = await adopt(bytes)
      expect(await storage.size(sha256)).toBe(LARGE)
      expect((await buffer(storage.read(sha256))).equals(bytes)).toBe(true)
      const tail = await buffer(storage.read(sha256, { start: LARGE - 7_000_000, end: LARGE - 1 }))
      expect(tail.equals(bytes.subarray(LARGE - 7_000_000))).toBe(true)
    })

    test('can be left in the middle of reading', async () => {
      const sha256 = await adopt(randomBytes(LARGE))
      const reading = storage.read(sha256)
      await once(reading, 'readable')
      reading.destroy()
      await once(reading, 'close')
      expect(reading.destroyed).toBe(true)
      expect(await storage.size(sha256)).toBe(LARGE)
    })

    test('serves two processes: each has what the other adopted, and misses what it removed', async () => {
      const other = await makeStorage(folder)
      const bytes = randomBytes(3000)
      const sha256 = await adopt(bytes)
      expect((await buffer(other.read(sha256))).equals(bytes)).toBe(true)
      expect(await adopt(bytes)).toBe(sha256)
      expect((await buffer(other.read(sha256))).equals(bytes)).toBe(true)
      await storage.remove(sha256)
      await expect(buffer(other.read(sha256))).rejects.toMatchObject({ code: 'ENOENT' })
      await expect(other.size(sha256)).rejects.toMatchObject({ code: 'ENOENT' })
    })

    test('spares bytes that were adopted while somebody decided to remove them', async () => {
      const bytes = randomBytes(50)
      const decided = new Date(Date.now() - 1000)
      const sha256 = await adopt(bytes)
      expect(await storage.remove(sha256, decided)).toBe(false)
      expect((await buffer(storage.read(sha256))).equals(bytes)).toBe(true)
      expect(await storage.remove(sha256, new Date(Date.now() + 1000))).toBe(true)
    })

    test('never undoes an adoption, however removals of other processes fall into it', async () => {
      const other = await makeStorage(folder)
      const bytes = randomBytes(50)
      for (let round = 0; round < 30; round += 1) {
        const decided = new Date(Date.now() - 1)
        // The bytes of the round before are older than that.
        const [sha256] = await Promise.all([
          adopt(bytes),
          other.remove(sum(bytes), decided),
          wait(round % 5).then(() => storage.remove(sum(bytes), decided)),
        ])
        expect((await buffer(other.read(sha256))).equals(bytes)).toBe(true)
        await wait(3)
      }
    })

    test.each(['', '..', '../../etc/passwd', 'A'.repeat(64), `${'a'.repeat(64)}/x`])(
      'refuses a name that is no digest: "%s"',
      async (name) => {
        const { path } = await stage(Buffer.from('x'))
        await expect(storage.adopt(path, name)).rejects.toThrow('Not a SHA-256')
        await expect(storage.size(name)).rejects.toThrow()
        expect(() => storage.read(name)).toThrow('Not a SHA-256')
      },
    )
  })
}
