import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { viewing as limits } from '@neuroloom/contract/limits'
import type { View } from '@neuroloom/contract/viewing'
import type { Caller } from '../../../http/access.ts'
import type { Context } from '../../../infra/context.ts'
import { ReaderBusy, ReaderFailure } from '../../../infra/reader.ts'
import { requireFile, type SeenEntry } from '../access.ts'
import { extensionOf } from '../names.ts'
import { shownUrl } from './content.ts'
import { learnPlaces, type Series, seriesAmong, sliceFiles, unknownOf } from './dicom-series.ts'
import { type Guess, guessKind, HEAD_BYTES, refusalKind } from './kinds.ts'
import { bytesOfSource, findView, keyOf, makeView, patienceOf, type ViewSource } from './make.ts'
import { headOf, sourceOf } from './sources.ts'
import type { ViewRow } from './tables.ts'

type SeenFile = SeenEntry & { sha256: string }

export async function view(
  ctx: Context,
  { id, series }: Parsed<'files/view'>,
  caller: Caller,
): Promise<Answer<'files/view'>> {
  const file = await requireFile(ctx.db, caller.user, id, 'view')
  const guess = guessKind(await headOf(ctx, file, HEAD_BYTES), file.name)
  if (!guess.isImage) return plainView(ctx, caller, { file, guess })
  const own = await sourceOf(ctx, ctx.db, caller.user, file)
  const row = await shown(ctx, own, caller, file)
  if (!row) return { ...nothing(file), kind: guess.kind, state: 'preparing' }
  const among = await seriesOf(ctx, caller, { file, row, series })
  if (!series || !among) return imageView(ctx, caller, { file, row, among: among ?? null })
  if (among === 'unknown') return { ...nothing(file), kind: 'volume', state: 'preparing' }
  const whole = await shown(ctx, { files: among.files, siblings: [] }, caller, file, true)
  if (!whole) return { ...nothing(file), kind: 'volume', state: 'preparing' }
  const answer = imageView(ctx, caller, { file, row: whole, among, isSeries: true })
  return { ...answer, ...tagsFor(file, row) }
}

/** Read while the page waits, if that is soon done; else by a job, and null. */
async function shown(
  ctx: Context,
  source: ViewSource,
  { user }: Caller,
  { id }: SeenFile,
  series = false,
): Promise<ViewRow | null> {
  const known = await findView(ctx, keyOf(source))
  if (known) return known
  if (bytesOfSource(source) <= limits.inCallBytes) {
    const made = await makeView(ctx, source, 'call').catch(orLater)
    if (made) return made
  }
  await queueView(ctx, { userId: user.id, fileId: id, series })
  return null
}

/** Null for what a job may still do. */
function orLater(error: unknown): null {
  if (error instanceof ReaderBusy || error instanceof ReaderFailure) return null
  throw error
}

const queueView = (ctx: Context, data: { userId: string; fileId: string; series: boolean }): Promise<void> =>
  ctx.jobs.send(null, 'files.view', data, { singletonKey: `${data.userId} ${data.fileId} ${data.series}` })

/** The series in the file's folder; null = it is alone, `unknown` = a job looks through the folder. */
async function seriesOf(
  ctx: Context,
  { user }: Caller,
  { file, row, series }: { file: SeenFile; row: ViewRow; series: boolean },
): Promise<Series | 'unknown' | null> {
  if (!row.answer.series?.isImage) return null
  const slices = await sliceFiles(ctx.db, user, file)
  if (slices.length < 2) return null
  const unknown = await unknownOf(ctx.db, slices)
  const isSoon = unknown.length <= limits.seriesInCall
  const isLearned = unknown.length === 0 || (isSoon && (await learned(ctx, unknown)))
  if (isLearned) return seriesAmong(ctx.db, slices, file.sha256)
  await queueView(ctx, { userId: user.id, fileId: file.id, series })
  return 'unknown'
}

async function learned(ctx: Context, unknown: Parameters<typeof learnPlaces>[1]): Promise<boolean> {
  try {
    await learnPlaces(ctx, unknown, patienceOf('call'))
    return true
  } catch (error) {
    orLater(error)
    return false
  }
}

/** The job: everything that the call put off; then the page asks again. */
export async function prepareView(
  ctx: Context,
  { userId, fileId, series }: { userId: string; fileId: string; series: boolean },
): Promise<void> {
  const user = { id: userId }
  const file = await requireFile(ctx.db, user, fileId, 'view').catch(() => null)
  if (!file) return
  const own = await sourceOf(ctx, ctx.db, user, file)
  const row = (await findView(ctx, keyOf(own))) ?? (await makeView(ctx, own, 'job'))
  if (row.answer.series?.isImage) {
    const slices = await sliceFiles(ctx.db, user, file)
    const unknown = await unknownOf(ctx.db, slices)
    if (unknown.length > 0) await learnPlaces(ctx, unknown, patienceOf('job'))
    const among = series ? await seriesAmong(ctx.db, slices, file.sha256) : null
    const whole = among && { files: among.files, siblings: [] }
    if (whole && !(await findView(ctx, keyOf(whole)))) await makeView(ctx, whole, 'job')
  }
  await ctx.live.passing({ kind: 'user', id: userId }, 'view', { id: fileId, series })
}

const nothing = (file: SeenFile): Omit<View, 'kind' | 'state'> => ({
  id: file.id,
  name: file.name,
  type: extensionOf(file.name),
  sizeBytes: file.sizeBytes,
  reason: null,
  url: null,
  facts: null,
  notes: [],
  series: null,
  tags: [],
  tagsHidden: false,
})

function plainView(
  ctx: Context,
  caller: Caller,
  { file, guess }: { file: SeenFile; guess: Guess & { isImage: false } },
): View {
  if ('reason' in guess) return { ...nothing(file), kind: guess.kind, state: 'ready', reason: guess.reason }
  const { id, sha256 } = file
  return {
    ...nothing(file),
    kind: guess.kind,
    state: 'ready',
    url: shownUrl(ctx, caller, { id, sha256, made: null }),
  }
}

type Found = { file: SeenFile; row: ViewRow; among: Series | 'unknown' | null; isSeries?: boolean }

function imageView(ctx: Context, caller: Caller, { file, row, among, isSeries = false }: Found): View {
  const { answer, key } = row
  const series =
    among && among !== 'unknown'
      ? { files: among.files.length, description: among.description, isShown: isSeries }
      : null
  const common = { ...nothing(file), state: 'ready' as const, series, ...tagsFor(file, row) }
  if ('refused' in answer) return { ...common, ...refusalKind(answer.refused) }
  const { kind, made, facts, notes } = answer.viewed
  const { id, sha256 } = file
  const url = shownUrl(ctx, caller, { id, sha256, made: made === null ? null : { key, name: made } })
  return { ...common, kind, url, facts, notes }
}

/** Whoever may only look learns how the image was made, not of whom. */
function tagsFor({ access }: SeenFile, { answer }: ViewRow): Pick<View, 'tags' | 'tagsHidden'> {
  if (access !== 'view') return { tags: answer.tags, tagsHidden: false }
  const tags = answer.tags.filter(({ isPatient }) => !isPatient)
  return { tags, tagsHidden: tags.length < answer.tags.length }
}
