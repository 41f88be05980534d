/** Keeps bytes under their SHA-256. Knows nothing of names, owners or the database. */
import { createReadStream } from 'node:fs'
import { link, mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { checkDigest, isCode, linkOrCopy, sync, writeLasting } from './files.ts'

/** First and last byte, both included, as in the HTTP header. */
export type ByteRange = { start: number; end: number }

export type Small = { stagedPath: string; bytes: Uint8Array; sha256: string }

export type Storage = {
  /** Takes over a finished file of the staging folder. Durable when it returns; the same bytes twice are kept once. */
  adopt(stagedPath: string, sha256: string): Promise<void>
  /** The same for bytes that lie nowhere yet, by way of staged files: folders are waited for once for all of them. */
  keepAll(small: readonly Small[]): Promise<void>
  read(sha256: string, range?: ByteRange): Readable
  /** Rejects with ENOENT when the bytes are not there. */
  size(sha256: string): Promise<number>
  /** Puts the bytes at a path for another program to read: a hard link, else a copy. Nobody may write to it. */
  linkInto(sha256: string, targetPath: string): Promise<void>
  /** Deletes the bytes, except when they were adopted (again) at or after `unlessSince`. True when they are gone. */
  remove(sha256: string, unlessSince?: Date): Promise<boolean>
  all(): AsyncIterable<{ sha256: string; modifiedAt: Date }>
  /** Digests of what this machine keeps beside the store; nothing where the store is this machine's disk. */
  kept(): Promise<string[]>
  /** Drops what this machine keeps of them beside the store. */
  forget(sha256: string): Promise<void>
  /** On the same device as the store; whoever puts files there also removes those nobody finishes. */
  stagingFolder: string
}

export async function createDiskStorage(dataDir: string): Promise<Storage> {
  const root = join(dataDir, 'blobs')
  const stagingFolder = join(dataDir, 'staging')
  await mkdir(root, { recursive: true })
  await mkdir(stagingFolder, { recursive: true })
  const pathOf = (sha256: string): string => join(folderOf(root, sha256), sha256)
  const makeLasting = onceEach(async (folder) => {
    await mkdir(folder, { recursive: true })
    // Even where it was there: another process may have made it and not come this far.
    await sync(root)
  })

  const adopt: Storage['adopt'] = async (stagedPath, sha256) => {
    const folder = folderOf(root, sha256)
    // Fresh time first: `remove` spares bytes adopted while it was deciding.
    const now = new Date()
    await utimes(stagedPath, now, now)
    await Promise.all([makeLasting(folder), sync(stagedPath)])
    await rename(stagedPath, pathOf(sha256))
    await sync(folder)
  }

  const keepAll: Storage['keepAll'] = async (small) => {
    const folders = [...new Set(small.map(({ sha256 }) => folderOf(root, sha256)))]
    await Promise.all(folders.map(makeLasting))
    await Promise.all(
      small.map(async ({ stagedPath, bytes, sha256 }) => {
        try {
          await writeLasting(stagedPath, bytes)
          await rename(stagedPath, pathOf(sha256))
        } catch (error) {
          await rm(stagedPath, { force: true })
          throw error
        }
      }),
    )
    await Promise.all(folders.map(sync))
  }

  return {
    stagingFolder,
    adopt,
    keepAll,
    read: (sha256, range) => createReadStream(pathOf(sha256), range),
    size: async (sha256) => (await stat(pathOf(sha256))).size,
    linkInto: async (sha256, targetPath) => linkOrCopy(pathOf(sha256), targetPath),
    remove: (sha256, unlessSince) => removeBytes(pathOf(sha256), unlessSince),
    all: () => walk(root),
    kept: async () => [],
    forget: async () => undefined,
  }
}

/** Done once for each name, by whoever comes first; again after a failure. */
function onceEach(work: (name: string) => Promise<void>): (name: string) => Promise<void> {
  const done = new Map<string, Promise<void>>()
  return (name) => {
    const running = done.get(name) ?? work(name)
    done.set(name, running)
    running.catch(() => done.delete(name))
    return running
  }
}

/** Set aside first, looked at, then deleted or put back: an `adopt` in between is never undone. */
async function removeBytes(path: string, unlessSince: Date | undefined): Promise<boolean> {
  const aside = `${path}.removing`
  try {
    await rename(path, aside)
  } catch (error) {
    if (isCode(error, 'ENOENT')) return true
    throw error
  }
  if (unlessSince && (await stat(aside)).mtime >= unlessSince) {
    await link(aside, path).catch((error: unknown) => {
      if (!isCode(error, 'EEXIST')) throw error
    })
    await rm(aside)
    return false
  }
  await rm(aside)
  return true
}

async function* walk(root: string): AsyncIterable<{ sha256: string; modifiedAt: Date }> {
  for (const prefix of await readdir(root)) {
    for (const name of await readdir(join(root, prefix))) {
      // A name set aside by an interrupted `remove` counts as the bytes it holds.
      const sha256 = name.replace(/\.removing$/, '')
      if (name !== sha256) await rename(join(root, prefix, name), join(root, prefix, sha256))
      const entry = await stat(join(root, prefix, sha256)).catch(() => null)
      if (entry) yield { sha256, modifiedAt: entry.mtime }
    }
  }
}

function folderOf(root: string, sha256: string): string {
  checkDigest(sha256)
  return join(root, sha256.slice(0, 2))
}
