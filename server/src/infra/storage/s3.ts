/**
 * Keeps bytes under their SHA-256 in an S3 store, of Amazon or another maker; a bounded part of them also on this
 * machine, for other programs to read. Loaded only where it is configured.
 *
 * S3 renames nothing and cannot delete on condition of an age (and the same bytes have the same ETag), so bytes never
 * lie under one fixed key: every `adopt` writes an object of its own, `<sha256>/<time>-<random>`, a generation.
 * - `remove` lists the generations and deletes, by name, those it has seen to be old. One adopted meanwhile has another
 *   name, so no deletion reaches it, however late a store carries it out; no lock is needed between processes.
 * - Of several generations the greatest name counts. Whoever sees a greater one deletes the smaller: everything spared
 *   for the smaller one's time is spared for the greater one's. The greatest is never deleted for another.
 * - The time is that of our clock when the sending began, plus what the slowest allowed line needs for so many bytes:
 *   when `adopt` returns, it is never older than `graceMs`, however long the sending took.
 * All of it rests on listings that show at once what was written, as Amazon, MinIO, Ceph and others promise.
 */

import { randomBytes } from 'node:crypto'
import { mkdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { objectStore } from '@neuroloom/contract/limits'
import type { S3Config } from '../../config.ts'
import { sideBySide } from '../side-by-side.ts'
import { openByteCache } from './byte-cache.ts'
import { checkDigest } from './files.ts'
import { openObjects } from './s3-objects.ts'
import type { Patience } from './s3-patience.ts'
import { findIn, type Generation, readFrom, streamOf } from './s3-reading.ts'
import type { Storage } from './storage.ts'

/** Requests for small files of one upload. */
const ADOPTED_AT_ONCE = 8

export async function createS3Storage(
  config: S3Config,
  dataDir: string,
  patience: Patience = objectStore,
  hasRoom?: (bytes: number) => Promise<boolean>,
): Promise<Storage> {
  const stagingFolder = join(dataDir, 'staging')
  await mkdir(stagingFolder, { recursive: true })
  const objects = openObjects(config, patience)
  const cache = await openByteCache(join(dataDir, 's3-cache'), config.cacheBytes, {
    ...(hasRoom ? { hasRoom } : {}),
  })
  const { generations, generationsOf } = findIn(objects, config.prefix)
  const { find, bytesOf, remember, forget } = readFrom({ objects, generationsOf, patience })

  /** Leaves one generation. Fails unless the one just written is there, or a greater one of the same bytes. */
  async function settle(written: Omit<Generation, 'at'>, signal: AbortSignal): Promise<void> {
    const { sha256, key, sizeBytes } = written
    const found = await generationsOf(sha256, signal)
    const newest = found.at(-1)
    if (!newest || newest.key < key || newest.sizeBytes !== sizeBytes) {
      throw new Error(`The store did not keep ${sha256} as it was sent`)
    }
    remember(sha256, newest.key)
    // What is not deleted now is when `all` comes by.
    for (const older of found.slice(0, -1)) await objects.delete(older.key, signal).catch(() => undefined)
  }

  async function forgetHere(sha256: string): Promise<void> {
    checkDigest(sha256)
    forget(sha256)
    await cache.forget(sha256)
  }

  const adopt: Storage['adopt'] = async (stagedPath, sha256) => {
    checkDigest(sha256)
    const { size } = await stat(stagedPath)
    const time = String(Date.now() + slowestMs(size)).padStart(14, '0')
    const key = `${config.prefix}${sha256}/${time}-${randomBytes(8).toString('hex')}`
    const limit = AbortSignal.timeout(slowestMs(size) + objectStore.graceMs)
    await objects.put(key, { path: stagedPath, size }, limit)
    await settle({ sha256, key, sizeBytes: size }, limit)
    // It is likely to be looked at soon.
    await cache.take(sha256, stagedPath)
  }

  return {
    stagingFolder,
    adopt,
    keepAll: (small) =>
      sideBySide(small, ADOPTED_AT_ONCE, async ({ stagedPath, bytes, sha256 }) => {
        try {
          await writeFile(stagedPath, bytes, { mode: 0o600 })
          await adopt(stagedPath, sha256)
        } finally {
          await rm(stagedPath, { force: true })
        }
      }),
    read(sha256, range) {
      checkDigest(sha256)
      return streamOf((signal) => bytesOf(sha256, range, signal))
    },
    size: async (sha256) => (await find(sha256)).sizeBytes,
    async linkInto(sha256, targetPath) {
      checkDigest(sha256)
      await cache.linkInto(sha256, targetPath, async () => {
        const { sizeBytes } = await find(sha256)
        const limit = AbortSignal.timeout(slowestMs(sizeBytes) + objectStore.graceMs)
        return { sizeBytes, bytes: bytesOf(sha256, undefined, limit) }
      })
    },
    async remove(sha256, unlessSince) {
      const found = await generationsOf(sha256)
      if (unlessSince && found.some(({ at }) => at >= unlessSince)) return false
      for (const { key } of found) await objects.delete(key)
      await forgetHere(sha256)
      return true
    },
    async *all() {
      let last: Generation | undefined
      for await (const next of generations('')) {
        // Left by an `adopt` that was cut off. Listings are in the order of names.
        if (last?.sha256 === next.sha256 && last.key < next.key) await objects.delete(last.key)
        else if (last) yield { sha256: last.sha256, modifiedAt: last.at }
        last = next
      }
      if (last) yield { sha256: last.sha256, modifiedAt: last.at }
    },
    kept: () => cache.names(),
    forget: forgetHere,
  }
}

/** Of the slowest line that is still waited for. */
const slowestMs = (sizeBytes: number): number => Math.ceil((sizeBytes / objectStore.minBytesPerSecond) * 1000)
