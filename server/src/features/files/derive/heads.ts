/** Which files are DICOM, and what they say of themselves. */
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { viewing as limits } from '@neuroloom/contract/limits'
import type { Context } from '../../../infra/context.ts'
import { newId } from '../../../infra/ids.ts'
import type { DicomHead } from '../../../infra/reader/dicom/head.ts'
import { read } from '../../../infra/reader/reader.ts'
import { keepPlace } from '../view/dicom-series.ts'
import { readerFolder } from '../view/folders.ts'

/** Named as DICOM, or not at all, or by a number, as discs have them; what it is tells a look into it. */
export const mayBeDicom = (path: string): boolean => {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return !/(^|\/)(\.|__MACOSX\/)/.test(path) && /(^[^.]+|\.(dcm|dicom|ima|\d+))$/i.test(name)
}

/** Whether the name alone promises it. */
export const isNamedDicom = (path: string): boolean => /\.(dcm|dicom|ima)$/i.test(path)

type Source = { path: string; sha256: string; sizeBytes: number }

const AT_ONCE = 500

/** By the hash of the bytes; null = no DICOM, `broken` where that cannot be read. */
export async function dicomHeads(
  ctx: Context,
  sources: readonly Source[],
): Promise<Map<string, DicomHead | 'broken' | null>> {
  const once = [...new Map(sources.map((source) => [source.sha256, source])).values()]
  const heads = new Map<string, DicomHead | 'broken' | null>()
  for (let start = 0; start < once.length; start += AT_ONCE) {
    const some = once.slice(start, start + AT_ONCE)
    const found = await headsOf(ctx, some)
    for (const [index, { sha256 }] of some.entries()) heads.set(sha256, found[index] ?? null)
  }
  return heads
}

/** What headers tell of patients holds for all files of the same bytes. */
async function keepHeads(
  ctx: Context,
  sources: readonly Source[],
  heads: readonly (DicomHead | 'broken' | null)[],
): Promise<void> {
  for (const [index, { sha256 }] of sources.entries()) {
    const head = heads[index]
    if (!head || head === 'broken') continue
    const { seriesUid, description, noPicture, namesPatient } = head
    const place = seriesUid === '' ? null : { seriesUid, description, isImage: noPicture === null }
    await keepPlace(ctx.db, sha256, place, namesPatient)
  }
}

async function headsOf(ctx: Context, sources: readonly Source[]): Promise<(DicomHead | 'broken' | null)[]> {
  const folder = join(readerFolder(ctx), newId())
  await mkdir(folder, { recursive: true })
  try {
    const files: { path: string; name: string }[] = []
    for (const [index, { sha256, path: name }] of sources.entries()) {
      const path = join(folder, String(index))
      await ctx.storage.linkInto(sha256, path)
      files.push({ path, name })
    }
    const task = { task: 'dicomHeads', files, limitBytes: limits.pixelBytes } as const
    const options = { log: ctx.log, folder, timeMs: limits.readMs, mayWait: Number.POSITIVE_INFINITY }
    const { heads } = await read(task, options)
    await keepHeads(ctx, sources, heads)
    return heads
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
