import { createHash } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { viewing as limits } from '@neuroloom/contract/limits'
import { eq, sql } from 'drizzle-orm'
import type { Context } from '../../../infra/context.ts'
import { newId } from '../../../infra/ids.ts'
import { endingOf } from '../../../infra/reader/kinds.ts'
import { ReaderFailure, read } from '../../../infra/reader/reader.ts'
import type { ViewAnswer } from '../../../infra/reader/tasks.ts'
import { keepPlace } from './dicom-series.ts'
import { madePath, readerFolder } from './folders.ts'
import { type ViewRow, viewSources, views } from './tables.ts'

type SourceFile = {
  name: string
  sha256: string
  sizeBytes: number
  /** Of what lies inside of another file, and so not in the store. */
  bytes?: Buffer
}

/** The bytes that make up one image: a file, or a series, with a second file that the header names. */
export type ViewSource = { files: SourceFile[]; siblings: SourceFile[] }
/** A mask, and the image that it is laid over. */
export type OverlaySource = ViewSource & { image: ViewSource }
type AnySource = ViewSource | OverlaySource

/** Readers of another number find and show other things: what older ones made is made anew. */
const READER = 6

/** By what is in them and how they are called, so that the same bytes are read once whoever asks. */
export function keyOf(source: AnySource): string {
  const { files, siblings } = source
  const [first] = files
  const parts = [
    READER,
    endingOf(first?.name ?? ''),
    ...files.map(({ sha256 }) => sha256),
    '',
    ...siblings.map(({ name, sha256 }) => `${name} ${sha256}`),
    ...('image' in source ? ['over', keyOf(source.image)] : []),
  ]
  return createHash('sha256').update(parts.join('\n')).digest('hex')
}

export const bytesOfSource = (source: AnySource): number =>
  filesOf(source).reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)

const filesOf = (source: AnySource): SourceFile[] => [
  ...source.files,
  ...source.siblings,
  ...('image' in source ? filesOf(source.image) : []),
]

/** What is known, if what was made of it is still there. */
export async function findView(ctx: Context, key: string): Promise<ViewRow | null> {
  const [row] = await ctx.db.select().from(views).where(eq(views.key, key))
  if (!row) return null
  if (row.made !== null && !(await stat(madePath(ctx, key, row.made)).catch(() => null))) return null
  const now = ctx.now()
  if (row.state === 'refused' && isPassing(row) && now.getTime() - row.createdAt.getTime() > RETRY_MS)
    return null
  if (now.getTime() - row.usedAt.getTime() > USED_MS)
    await ctx.db.update(views).set({ usedAt: now }).where(eq(views.key, key))
  return row
}

/** What was the machine's fault may go better later. */
const RETRY_MS = 10 * 60_000
const USED_MS = 24 * 3_600_000
const isPassing = ({ answer }: ViewRow): boolean =>
  'refused' in answer && ['too_slow', 'too_much_memory', 'reader_failed'].includes(answer.refused.name)

/** A page waits for it, or a job does it, with all the time there is. */
export type Patience = 'call' | 'job'

/** Has the image read and keeps what comes of it. A crash at any point leaves nothing but a folder to be swept. */
export async function makeView(ctx: Context, source: AnySource, patience: Patience): Promise<ViewRow> {
  const key = keyOf(source)
  const folder = join(readerFolder(ctx), newId())
  await mkdir(folder, { recursive: true })
  try {
    const answer = await ask(ctx, source, { folder, patience })
    const [first] = source.files
    // What the view tells of a patient holds for all files of these bytes, whatever they are called.
    if (first && (answer.series || answer.named !== undefined))
      await keepPlace(ctx.db, first.sha256, answer.series, answer.named ?? null)
    return await keepView(ctx, source, { key, answer, folder })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** What the program made in its folder is moved to where views lie. */
export async function keepView(
  ctx: Context,
  source: AnySource,
  { key, answer, folder }: { key: string; answer: ViewAnswer; folder: string },
): Promise<ViewRow> {
  const made = 'viewed' in answer ? answer.viewed.made : null
  const madeBytes = made === null ? 0 : await keepMade(ctx, { key, made, folder })
  return keepRow(ctx, source, { key, answer, made, madeBytes })
}

async function ask(
  ctx: Context,
  source: AnySource,
  { folder, patience }: { folder: string; patience: Patience },
): Promise<ViewAnswer> {
  if (bytesOfSource(source) > limits.fileBytes) {
    return {
      tags: [],
      series: null,
      refused: { name: 'too_large', params: { limit: Math.round(limits.fileBytes / 1024 ** 2) } },
    }
  }
  const laidOut = await layOut(ctx, source, folder)
  const common = { ...laidOut, out: folder, limitBytes: limits.pixelBytes }
  const image = 'image' in source ? await layOut(ctx, source.image, folder, 'image') : null
  const how = { log: ctx.log, folder, ...patienceOf(patience) }
  try {
    return image
      ? await read({ task: 'overlay', ...common, image }, how)
      : await read({ task: 'view', ...common }, how)
  } catch (error) {
    // A job takes its time for what takes too long here.
    if (!(error instanceof ReaderFailure) || patience === 'call') throw error
    return { tags: [], series: null, refused: error.reason }
  }
}

/** How long the program may take, and how many may come before. */
export const patienceOf = (patience: Patience): { timeMs: number; mayWait: number } =>
  patience === 'call'
    ? { timeMs: limits.inCallMs, mayWait: limits.inCallWaiting }
    : { timeMs: limits.readMs, mayWait: limits.waiting }

/** Under numbers, never under members' own names. */
export async function layOut(ctx: Context, { files, siblings }: ViewSource, folder: string, prefix = '') {
  const put = async (kind: string, list: ViewSource['files']): Promise<{ path: string; name: string }[]> => {
    const laidOut: { path: string; name: string }[] = []
    for (const [index, { name, sha256, bytes }] of list.entries()) {
      const path = join(folder, `${prefix}${kind}${index}`)
      if (bytes) await writeFile(path, bytes)
      else await ctx.storage.linkInto(sha256, path)
      laidOut.push({ path, name })
    }
    return laidOut
  }
  return { files: await put('file', files), siblings: await put('sibling', siblings) }
}

async function keepMade(
  ctx: Context,
  { key, made, folder }: { key: string; made: string; folder: string },
): Promise<number> {
  const path = join(folder, made)
  const bytes = await syncAll(path)
  const target = madePath(ctx, key, made)
  await mkdir(dirname(target), { recursive: true })
  // Of a folder, what an earlier reader made is in the way.
  await rm(target, { recursive: true, force: true })
  await rename(path, target)
  return bytes
}

/** One file, or all of a folder; how large together. */
async function syncAll(path: string): Promise<number> {
  if ((await stat(path)).isDirectory()) {
    let bytes = 0
    for (const name of await readdir(path)) bytes += await syncAll(join(path, name))
    return bytes
  }
  const file = await open(path, 'r')
  await file.sync()
  const { size } = await file.stat()
  await file.close()
  return size
}

type Kept = { key: string; answer: ViewAnswer; made: string | null; madeBytes: number }

async function keepRow(
  ctx: Context,
  source: AnySource,
  { key, answer, made, madeBytes }: Kept,
): Promise<ViewRow> {
  const now = ctx.now()
  const state = 'viewed' in answer ? ('ready' as const) : ('refused' as const)
  const row = { key, state, answer, made, madeBytes, usedAt: now, createdAt: now }
  await ctx.db.transaction(async (tx) => {
    await tx.insert(views).values(row).onConflictDoUpdate({ target: views.key, set: row })
    const sha256s = filesOf(source).map(({ sha256 }) => sha256)
    // Bytes that were swept meanwhile leave the view without a source: the sweep then takes it too.
    await tx.execute(sql`
      insert into ${viewSources} (key, sha256)
      select distinct ${key}, sha256 from blobs where sha256 = any(${sql.param(sha256s)}::text[])
      on conflict do nothing`)
  })
  return row
}
