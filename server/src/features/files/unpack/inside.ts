import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { archiveKind } from '@neuroloom/contract/names/archive-names'
import type { Context } from '../../../infra/context.ts'
import { isDiskFull } from '../../../infra/room.ts'
import type { Archive } from './archive.ts'
import { planUnpack, Unpackable } from './plan.ts'
import { openTar } from './tar.ts'
import { openZip } from './zip.ts'

/** As its name says; fails as `Unpackable` where it is none of those. */
export async function openArchive(path: string, name: string): Promise<Archive> {
  const kind = archiveKind(name)
  try {
    if (kind === 'zip') return await openZip(path)
    if (kind !== null) return openTar(path, kind === 'tar.gz')
  } catch (error) {
    throw new Unpackable('unreadable', {}, error)
  }
  throw new Unpackable('unreadable')
}

type Given = { path: string; name: string; sizeBytes: number }
type Into = { folder: string; signal: AbortSignal; most: { files: number; bytes: number } }

/**
 * The files of an archive, laid out in a folder under numbers, in the order of their names: for work that reads an archive once and
 * keeps nothing of it. Null where it cannot be opened, not all of it can be taken out, or it holds more than `most`.
 */
export async function filesInside(
  ctx: Context,
  { path, name, sizeBytes }: Given,
  { folder, signal, most }: Into,
): Promise<{ path: string; name: string; sizeBytes: number }[] | null> {
  let archive: Archive | null = null
  try {
    archive = await openArchive(path, name)
    const said = { archiveName: name, archiveBytes: sizeBytes, depth: 0, encoding: null }
    const { files, totalBytes } = await planUnpack(archive.list(), said)
    if (files.length > most.files || totalBytes > most.bytes) return null
    await ctx.room.require(totalBytes)
    const byIndex = new Map(files.map((file) => [file.index, file]))
    const taken: { path: string; name: string; sizeBytes: number }[] = []
    for await (const { index, open } of archive.read(new Set(byIndex.keys()))) {
      const file = byIndex.get(index)
      if (!file) continue
      const target = join(folder, `${index}`)
      await pipeline(await open(), createWriteStream(target, { mode: 0o600 }), { signal })
      taken.push({
        path: target,
        name: [...file.folders, file.name].join('/'),
        sizeBytes: file.sizeBytes,
      })
    }
    return taken.length < files.length ? null : taken.sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch (error) {
    // The archive's own faults end here; the disk's and the work's do not.
    const isItsOwn = !signal.aborted && !isDiskFull(error) && !(error instanceof Error && 'syscall' in error)
    if (!isItsOwn) throw error
    ctx.log.info({ err: error, name }, 'an archive was not opened')
    await rm(folder, { recursive: true, force: true })
    return null
  } finally {
    await archive?.close()
  }
}
