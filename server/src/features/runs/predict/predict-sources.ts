/** What a prediction was asked to read: which files these are, and whether they may still be read. */
import { dicomReasons } from '@neuroloom/contract/dicom-data'
import { imageExtensions, type Manifest } from '@neuroloom/contract/engine'
import { fileReasons } from '@neuroloom/contract/file-reasons'
import { isHiddenPath } from '@neuroloom/contract/names/archive-names'
import type { SetAside } from '@neuroloom/contract/predictions'
import { axesOf, type Task } from '@neuroloom/contract/task'
import { and, eq, inArray, isNotNull, isNull } from 'drizzle-orm'
import type { Context } from '../../../infra/context.ts'
import type { Db } from '../../../infra/db.ts'
import { blobs } from '../../../infra/storage/blobs.ts'
import { kindFor, planFor } from '../../datasets/service.ts'
import { accessTo } from '../../files/access.ts'
import { walk } from '../../files/service.ts'
import { files } from '../../files/tables.ts'
import type { RunRow } from '../tables.ts'
import { runSources } from './predict-tables.ts'

export type Source = {
  path: string
  sha256: string
  sizeBytes: number
  /** Of what is made of DICOM: all of its files. */
  sources?: string[]
}

type Entry = Pick<typeof files.$inferSelect, 'id' | 'kind' | 'name' | 'sha256' | 'sizeBytes'>

/** Files that were chosen and those below folders that were, by their paths. What systems leave by themselves is none. */
export async function filesOf(db: Db, user: { id: string }, entries: readonly Entry[]): Promise<Source[]> {
  const sources: Source[] = []
  for (const { id, kind, name, sha256, sizeBytes } of entries) {
    if (kind === 'file') sources.push(...(sha256 === null ? [] : [{ path: name, sha256, sizeBytes }]))
    else sources.push(...(await walk(db, user, id)).files)
  }
  return sources
    .filter(({ path }) => !isHiddenPath(path))
    .sort((left, right) => compare(left.path, right.path))
}

/**
 * Pictures that could not be read when they came into the cloud, with the reason: some of them end the program that
 * reads them, and a prediction has no other.
 */
export async function knownBad(db: Db, sources: readonly Source[]): Promise<SetAside[]> {
  const rows = await db
    .select({ sha256: blobs.sha256, reason: blobs.reason })
    .from(blobs)
    .where(
      and(
        inArray(
          blobs.sha256,
          sources.map(({ sha256 }) => sha256),
        ),
        isNotNull(blobs.checkedAt),
        isNull(blobs.facts),
      ),
    )
  const reasons = new Map(rows.map(({ sha256, reason }) => [sha256, reason]))
  return sources.flatMap(({ path, sha256 }) => {
    const reason = fileReasons.find((one) => one === reasons.get(sha256))
    return reason ? [{ name: path, reason }] : []
  })
}

/** By their names; what lies under a name is looked at by the engine. */
export function sorted(sources: readonly Source[], task: Task): { wanted: Source[]; setAside: SetAside[] } {
  const isWanted = axesOf(task) === 3 ? isVolume : isPicture
  return {
    wanted: sources.filter(({ path }) => isWanted(path)),
    setAside: sources
      .filter(({ path }) => !isWanted(path))
      .map(({ path }) => ({ name: path, reason: 'other_kind' as const })),
  }
}

/** DICOM by what it is, whatever it is called: what the worker will make pictures or volumes of, and all other files. */
export async function dicomAmong(
  ctx: Context,
  sources: readonly Source[],
  task: Task,
): Promise<{ others: Source[]; dicom: Source[]; setAside: SetAside[] }> {
  const { items, problems, taken } = await planFor(ctx, sources, kindFor(task))
  return {
    others: sources.filter(({ path }) => !taken.has(path)),
    dicom: items.flatMap(({ name, files: [first, ...more] }) =>
      first ? [{ ...first, path: name, sources: [first, ...more].map(({ sha256 }) => sha256) }] : [],
    ),
    setAside: problems.flatMap(({ path, reason }) => {
      const known = asDicomReason(reason)
      return known ? [{ name: path, reason: known }] : []
    }),
  }
}

/** Those of data sets alone are none of a prediction's. */
export const asDicomReason = (reason: string | undefined) => dicomReasons.find((one) => one === reason)

/** The folders below what was chosen that all paths lie in, such as `images/`; names of results do without. */
export function sharedFolder(paths: readonly string[]): string {
  const [first = '', ...others] = paths
  const folders = first.split('/').slice(0, -1)
  const apart = folders.findIndex((_, depth) => {
    const start = `${folders.slice(0, depth + 1).join('/')}/`
    return others.some((path) => !path.startsWith(start))
  })
  return folders
    .slice(0, apart < 0 ? folders.length : apart)
    .map((name) => `${name}/`)
    .join('')
}

/** The SHA-256 of what whoever started the run may read of it now; null when nothing of it is left. */
export async function readableNow(ctx: Context, run: RunRow): Promise<ReadonlySet<string> | null> {
  const { db } = ctx
  const [row] = await db.select().from(runSources).where(eq(runSources.runId, run.id))
  if (!row || run.startedBy === null) return null
  const user = { id: run.startedBy }
  if (row.pinned !== null) return pinnedNow(ctx, user, row.pinned)
  const seen = await accessTo(db, user, row.entryIds)
  if (seen.size === 0) return null
  const entries = await db
    .select()
    .from(files)
    .where(inArray(files.id, [...seen.keys()]))
  return new Set((await filesOf(db, user, entries)).map(({ sha256 }) => sha256))
}

async function pinnedNow(
  ctx: Context,
  user: { id: string },
  ids: readonly string[],
): Promise<ReadonlySet<string> | null> {
  const answers = await Promise.all(ctx.told('pinnedImages').map((bytesOf) => bytesOf(ctx.db, user, ids)))
  const found = new Set(answers.flat())
  return found.size === 0 ? null : found
}

/** The SHA-256 of all files of those images that the member may still look at. */
type PinnedImages = (db: Db, user: { id: string }, ids: readonly string[]) => Promise<string[]>
declare module '../../../infra/feature.ts' {
  interface Questions {
    pinnedImages: PinnedImages
  }
}

/** The items that may be read; the others stand in the manifest, and the engine finds nothing there. */
export const itemsOf = (manifest: Manifest, readable: ReadonlySet<string>): Manifest => ({
  ...manifest,
  items: manifest.items.filter(({ image, sources = [image] }) =>
    sources.every((sha256) => readable.has(sha256)),
  ),
})

const endings: ReadonlySet<string> = new Set(imageExtensions)
const isPicture = (path: string): boolean => endings.has(path.slice(path.lastIndexOf('.') + 1).toLowerCase())
const isVolume = (path: string): boolean => /\.nii(\.gz)?$/i.test(path)

const compare = (left: string, right: string): number => {
  if (left === right) return 0
  return left < right ? -1 : 1
}
