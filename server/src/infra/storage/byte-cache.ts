/** Keeps some of a far store's bytes on this machine's disk, within a bound. Knows nothing of where they come from. */
import { createHash } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { newId } from '../ids.ts'
import { isCode, linkOrCopy, sync } from './files.ts'

export type Fetch = () => Promise<{ sizeBytes: number; bytes: AsyncIterable<Uint8Array> }>

export type ByteCache = {
  /** A hard link where the disk can; `fetch` is asked only for what is not here. */
  linkInto(sha256: string, targetPath: string, fetch: Fetch): Promise<void>
  /** Takes over, or deletes, a file whose bytes are known to be these. */
  take(sha256: string, path: string): Promise<void>
  forget(sha256: string): Promise<void>
  /** Digests of what is here. */
  names(): Promise<string[]>
}

/** Downloads of a killed process. */
const PART_KEPT_MS = 24 * 60 * 60 * 1000
/** Part of the bound that one process adds before it looks how full the folder is: two share it. */
const SLACK = 1 / 20

type Options = {
  /** Whether the disk has room for as many bytes: else the cache gives up its own. */
  hasRoom?: (bytes: number) => Promise<boolean>
}

export async function openByteCache(
  folder: string,
  limitBytes: number,
  { hasRoom = async () => true }: Options = {},
): Promise<ByteCache> {
  await mkdir(folder, { recursive: true })
  const pathOf = (sha256: string): string => join(folder, sha256.slice(0, 2), sha256)
  const makeRoom = roomIn(folder, limitBytes, hasRoom)
  /** One download serves all who ask meanwhile. */
  const underWay = new Map<string, Promise<void>>()

  const download = async (sha256: string, fetch: Fetch): Promise<void> => {
    const { sizeBytes, bytes } = await fetch()
    await makeRoom(sizeBytes)
    await mkdir(join(folder, sha256.slice(0, 2)), { recursive: true })
    const part = `${pathOf(sha256)}.${newId()}.part`
    try {
      await writeVerified(part, sha256, bytes)
      await rename(part, pathOf(sha256))
    } finally {
      await rm(part, { force: true })
    }
  }

  return {
    async linkInto(sha256, targetPath, fetch) {
      try {
        return await linkUsed(pathOf(sha256), targetPath)
      } catch (error) {
        if (!isCode(error, 'ENOENT')) throw error
      }
      const running = underWay.get(sha256) ?? download(sha256, fetch).finally(() => underWay.delete(sha256))
      underWay.set(sha256, running)
      await running
      await linkUsed(pathOf(sha256), targetPath)
    },
    async take(sha256, path) {
      const { size } = await stat(path)
      // It would leave no room for others.
      if (size > limitBytes / 2 || !(await hasRoom(size))) return rm(path)
      await makeRoom(size)
      await mkdir(join(folder, sha256.slice(0, 2)), { recursive: true })
      await sync(path)
      await rename(path, pathOf(sha256))
    },
    forget: (sha256) => rm(pathOf(sha256), { force: true }),
    async names() {
      const found: string[] = []
      for (const prefix of await namesIn(folder)) found.push(...(await namesIn(join(folder, prefix))))
      return found.filter((name) => !name.endsWith('.part'))
    },
  }
}

/** Its time says when it was last asked for: the oldest go first. */
async function linkUsed(path: string, targetPath: string): Promise<void> {
  await linkOrCopy(path, targetPath)
  const now = new Date()
  // Dropped a moment ago; the link holds the bytes.
  await utimes(path, now, now).catch(() => undefined)
}

/** On the disk before it gets its name, so that a power cut leaves no half file under it. */
async function writeVerified(path: string, sha256: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  const hash = createHash('sha256')
  const hashed = async function* (): AsyncIterable<Uint8Array> {
    for await (const chunk of bytes) {
      hash.update(chunk)
      yield chunk
    }
  }
  // Open before the first byte is asked for: a stream that opens late would leave its file behind after a failure.
  const file = await open(path, 'wx')
  await pipeline(hashed(), file.createWriteStream())
  const found = hash.digest('hex')
  if (found !== sha256) throw new Error(`The store has other bytes than it should: ${found} under ${sha256}`)
  await sync(path)
}

/** Looks into the folder only now and then: before its first file, and whenever a share of the bound was added. */
function roomIn(
  folder: string,
  limitBytes: number,
  hasRoom: (bytes: number) => Promise<boolean>,
): (sizeBytes: number) => Promise<void> {
  const slack = limitBytes * SLACK
  let added = slack
  let trimming = Promise.resolve()
  return async (sizeBytes) => {
    if (!(await hasRoom(sizeBytes))) return trim(folder, 0)
    added += sizeBytes
    if (added <= slack) return trimming
    added = 0
    trimming = trimming
      .catch(() => undefined)
      .then(() => trim(folder, Math.max(0, limitBytes - 2 * slack - sizeBytes)))
    return trimming
  }
}

/** Drops what was longest not asked for, until the rest fits. Links made before keep their bytes. */
async function trim(folder: string, goalBytes: number): Promise<void> {
  const kept: { path: string; size: number; usedMs: number }[] = []
  for (const prefix of await namesIn(folder)) {
    for (const name of await namesIn(join(folder, prefix))) {
      const path = join(folder, prefix, name)
      const entry = await stat(path).catch(() => null)
      if (!entry) continue
      const isPart = name.endsWith('.part')
      if (!isPart) kept.push({ path, size: entry.size, usedMs: entry.mtimeMs })
      else if (entry.mtimeMs < Date.now() - PART_KEPT_MS) await rm(path, { force: true })
    }
  }
  let total = kept.reduce((sum, { size }) => sum + size, 0)
  kept.sort((one, other) => one.usedMs - other.usedMs)
  for (const { path, size } of kept) {
    if (total <= goalBytes) return
    await rm(path, { force: true })
    total -= size
  }
}

/** Somebody may delete a cache while it is in use. */
const namesIn = (folder: string): Promise<string[]> =>
  readdir(folder).catch((error: unknown) => {
    if (isCode(error, 'ENOENT')) return []
    throw error
  })
