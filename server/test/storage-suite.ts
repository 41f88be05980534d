/** What every store must do; a new one joins by passing this. */
import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Storage } from '../src/infra/storage.ts'

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
      return { path, sha256: createHash('sha256').update(bytes).digest('hex') }
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
      await expect(storage.size(sha256)).rejects.toThrow()
      await expect(buffer(storage.read(sha256))).rejects.toThrow()
      expect(await list()).not.toContain(sha256)
    })

    test('spares bytes that were adopted while somebody decided to remove them', async () => {
      const bytes = randomBytes(50)
      const decided = new Date(Date.now() - 1000)
      const sha256 = await adopt(bytes)
      expect(await storage.remove(sha256, decided)).toBe(false)
      expect((await buffer(storage.read(sha256))).equals(bytes)).toBe(true)
      expect(await storage.remove(sha256, new Date(Date.now() + 1000))).toBe(true)
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
