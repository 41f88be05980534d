import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openByteCache } from './byte-cache.ts'

let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'neuroloom-cache-'))
})
afterAll(() => rm(root, { recursive: true, force: true }))

const sum = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')
const giving = (bytes: Buffer) => async () => ({
  sizeBytes: bytes.length,
  bytes: (async function* () {
    yield bytes
  })(),
})
const never = async () => {
  throw new Error('asked for')
}
async function held(folder: string): Promise<{ bytes: number; names: string[] }> {
  const names: string[] = []
  let bytes = 0
  for (const prefix of await readdir(folder)) {
    for (const name of await readdir(join(folder, prefix))) {
      names.push(name)
      bytes += (await stat(join(folder, prefix, name))).size
    }
  }
  return { bytes, names }
}

test('two processes together stay within the bound, and what was used last stays', async () => {
  const folder = join(root, 'bound')
  const caches = [await openByteCache(folder, 10_000), await openByteCache(folder, 10_000)] as const
  const favourite = randomBytes(200)
  const [one, other] = caches
  await one.linkInto(sum(favourite), join(root, 'favourite'), giving(favourite))
  const old = new Date(Date.now() - 60_000)
  for (let count = 0; count < 100; count += 1) {
    const bytes = randomBytes(200)
    const target = join(root, `target-${count}`)
    await (count % 2 ? one : other).linkInto(sum(bytes), target, giving(bytes))
    expect((await readFile(target)).equals(bytes)).toBe(true)
    expect((await held(folder)).bytes).toBeLessThanOrEqual(10_000)
    // Its links share its time: all of them were used long ago.
    await utimes(target, old, old)
    await one.linkInto(sum(favourite), join(root, `favourite-${count}`), never)
  }
  expect((await held(folder)).names).toContain(sum(favourite))
})

test('links made before keep their bytes when these are dropped or forgotten', async () => {
  const cache = await openByteCache(join(root, 'dropped'), 1000)
  const bytes = randomBytes(100)
  const target = join(root, 'kept')
  await cache.linkInto(sum(bytes), target, giving(bytes))
  await cache.forget(sum(bytes))
  await cache.forget(sum(bytes))
  expect((await readFile(target)).equals(bytes)).toBe(true)
  await expect(cache.linkInto(sum(bytes), join(root, 'again'), never)).rejects.toThrow('asked for')
})

test('a file that would fill the cache is not taken over, only away', async () => {
  const folder = join(root, 'large')
  const cache = await openByteCache(folder, 1000)
  const path = join(root, 'large-file')
  for (const size of [600, 400]) {
    await writeFile(path, randomBytes(size))
    await cache.take(sum(await readFile(path)), path)
    await expect(stat(path)).rejects.toThrow('ENOENT')
  }
  expect((await held(folder)).bytes).toBe(400)
})

test('goes on after somebody has deleted it', async () => {
  const folder = join(root, 'deleted')
  const cache = await openByteCache(folder, 1000)
  for (const name of ['before', 'after']) {
    const bytes = randomBytes(100)
    const target = join(root, name)
    await rm(folder, { recursive: true, force: true })
    await cache.linkInto(sum(bytes), target, giving(bytes))
    expect((await readFile(target)).equals(bytes)).toBe(true)
    await rm(folder, { recursive: true, force: true })
    await writeFile(target, bytes)
    await cache.take(sum(bytes), target)
  }
})

test('a download that fails leaves nothing, and the next one is a new try', async () => {
  const folder = join(root, 'failed')
  const cache = await openByteCache(folder, 1000)
  const bytes = randomBytes(100)
  const cut = async () => ({
    sizeBytes: 100,
    bytes: (async function* () {
      yield bytes.subarray(0, 50)
      throw new Error('cut')
    })(),
  })
  const target = join(root, 'after-failure')
  await expect(cache.linkInto(sum(bytes), target, cut)).rejects.toThrow('cut')
  await expect(cache.linkInto(sum(bytes), target, giving(bytes.subarray(1)))).rejects.toThrow('other bytes')
  expect((await held(folder)).names).toEqual([])
  await cache.linkInto(sum(bytes), target, giving(bytes))
  expect((await readFile(target)).equals(bytes)).toBe(true)
})

test('on a disk that is nearly full the cache gives its own bytes back, and what is asked for comes all the same', async () => {
  const folder = join(root, 'crowded')
  let isRoomy = true
  const cache = await openByteCache(folder, 10_000, { hasRoom: async () => isRoomy })
  const [first, second] = [randomBytes(200), randomBytes(200)]
  await cache.linkInto(sum(first), join(root, 'crowded-1'), giving(first))
  isRoomy = false
  await cache.linkInto(sum(second), join(root, 'crowded-2'), giving(second))
  expect((await readFile(join(root, 'crowded-2'))).equals(second)).toBe(true)
  expect((await held(folder)).names).toEqual([sum(second)])
  const taken = join(root, 'crowded-3')
  await writeFile(taken, first)
  await cache.take(sum(first), taken)
  expect((await held(folder)).names).toEqual([sum(second)])
})
