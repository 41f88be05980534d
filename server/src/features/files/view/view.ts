import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { viewing as limits } from '@neuroloom/contract/limits'
import type { SeriesWish, View } from '@neuroloom/contract/viewing'
import { eq } from 'drizzle-orm'
import type { Caller } from '../../../http/access.ts'
import type { Context } from '../../../infra/context.ts'
import { ReaderBusy, ReaderFailure } from '../../../infra/reader/reader.ts'
import type { SeenFile } from '../access.ts'
import { extensionOf } from '../names.ts'
import { learnPlaces, type Series, seriesAmong, sliceFiles, unknownOf } from './dicom-series.ts'
import { eyesOf, type Looker } from './eyes.ts'
import { type Guess, guessKind, HEAD_BYTES, refusalKind } from './kinds.ts'
import { type Look, linkLook, memberLook } from './look.ts'
import { bytesOfSource, findView, keyOf, makeView, patienceOf, type ViewSource } from './make.ts'
import { headOf, sourceOf } from './sources.ts'
import { dicomPlaces, type ViewRow } from './tables.ts'

export const view = (
  ctx: Context,
  body: Parsed<'files/view'>,
  caller: Caller,
): Promise<Answer<'files/view'>> => look(ctx, body, memberLook(ctx, caller))

/** The same for visitors of a share link. */
export async function viewLinked(
  ctx: Context,
  { pass, ...body }: Parsed<'files/viewLinked'>,
): Promise<Answer<'files/viewLinked'>> {
  return look(ctx, body, await linkLook(ctx, pass))
}

export async function look(
  ctx: Context,
  { id, series }: { id: string; series: SeriesWish },
  by: Look,
): Promise<View> {
  const file = await by.eyes.find(id)
  const guess = guessKind(await headOf(ctx, file, HEAD_BYTES), file.name)
  if (!guess.isImage && guess.kind !== 'workbook') return plainView(by, { file, guess })
  const own = await sourceOf(ctx, by.eyes, file)
  const row = await shown(ctx, own, { by, file })
  if (!row) return { ...nothing(file), kind: guess.kind, state: 'preparing' }
  const among = await seriesOf(ctx, by, { file, row, series })
  const header = await headerOf(ctx, file, row)
  const alone = { file, row, header, among: among ?? null }
  if (!series || !among) return imageView(by, alone)
  if (among === 'unknown') return { ...nothing(file), kind: 'volume', state: 'preparing' }
  if (series === 'fits' && !isDrawnAtOnce(among)) return imageView(by, alone)
  const whole = await shown(ctx, { files: among.files, siblings: [] }, { by, file, series })
  if (!whole) {
    const told = { files: among.files.length, description: among.description, isShown: true, opened: null }
    return { ...nothing(file), kind: 'volume', state: 'preparing', series: told }
  }
  const opened = openedIn(whole, among, file)
  // Of two acquisitions the larger one is shown, and pictures of another size are left out: then the slice counts.
  if (series === 'fits' && !opened) return imageView(by, alone)
  return imageView(by, { file, row: whole, header, among, isSeries: true, opened })
}

const isDrawnAtOnce = ({ files }: Series): boolean =>
  bytesOfSource({ files, siblings: [] }) <= limits.seriesAtOnceBytes

/** Null where it was left out of the image, or fills more than one of its slices. */
function openedIn({ answer }: ViewRow, { files }: Series, { sha256 }: SeenFile): Opened {
  if (!('viewed' in answer)) return null
  const { planeFiles = [], facts } = answer.viewed
  const number = files.findIndex((file) => file.sha256 === sha256)
  const first = planeFiles.indexOf(number)
  const slices = facts?.size[2] ?? 1
  if (first < 0 || planeFiles.lastIndexOf(number) !== first) return null
  return { slice: first % slices, frame: Math.floor(first / slices) }
}

type Opened = NonNullable<View['series']>['opened']

/** Read while the page waits, if that is soon done; else by a job, and null. */
async function shown(
  ctx: Context,
  source: ViewSource,
  { by, file, series = false }: { by: Look; file: SeenFile; series?: SeriesWish },
): Promise<ViewRow | null> {
  const known = await findView(ctx, keyOf(source))
  if (known) return known
  await ctx.room.require()
  if (bytesOfSource(source) <= limits.inCallBytes) {
    const made = await makeView(ctx, source, 'call').catch(orLater)
    if (made) return made
  }
  await queueView(ctx, { ...by.who, fileId: file.id, series })
  return null
}

/** Null for what a job may still do. */
export function orLater(error: unknown): null {
  if (error instanceof ReaderBusy || error instanceof ReaderFailure) return null
  throw error
}

type Order = Looker & { fileId: string; series: SeriesWish }

const queueView = (ctx: Context, order: Order): Promise<void> =>
  ctx.jobs.send(null, 'files.view', order, { singletonKey: Object.values(order).join(' ') })

/** The series in the file's folder; null = it is alone, `unknown` = a job looks through the folder. */
async function seriesOf(
  ctx: Context,
  { who, eyes }: Look,
  { file, row, series }: { file: SeenFile; row: ViewRow; series: SeriesWish },
): Promise<Series | 'unknown' | null> {
  if (!row.answer.series?.isImage) return null
  const slices = await sliceFiles(ctx.db, eyes, file)
  if (slices.length < 2) return null
  const unknown = await unknownOf(ctx.db, slices)
  const isSoon = unknown.length <= limits.seriesInCall
  const isLearned = unknown.length === 0 || (isSoon && (await learned(ctx, unknown)))
  if (isLearned) return seriesAmong(ctx.db, slices, file.sha256)
  await queueView(ctx, { ...who, fileId: file.id, series })
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
export async function prepareView(ctx: Context, { fileId, series, ...who }: Order): Promise<void> {
  const eyes = eyesOf(ctx, who)
  const file = await eyes.find(fileId).catch(() => null)
  if (!file) return
  const own = await sourceOf(ctx, eyes, file)
  const row = (await findView(ctx, keyOf(own))) ?? (await makeView(ctx, own, 'job'))
  if (row.answer.series?.isImage) {
    const slices = await sliceFiles(ctx.db, eyes, file)
    const unknown = await unknownOf(ctx.db, slices)
    if (unknown.length > 0) await learnPlaces(ctx, unknown, patienceOf('job'))
    const among = series ? await seriesAmong(ctx.db, slices, file.sha256) : null
    const isWanted = among !== null && (series === true || isDrawnAtOnce(among))
    const whole = isWanted ? { files: among.files, siblings: [] } : null
    if (whole && !(await findView(ctx, keyOf(whole)))) await makeView(ctx, whole, 'job')
  }
  // A link's visitor hears no news: the page asks again.
  if ('userId' in who)
    await ctx.live.passing({ kind: 'user', id: who.userId }, 'view', { id: fileId, series: series !== false })
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
  patient: null,
  tagsHidden: false,
})

function plainView(
  { urlOf }: Look,
  { file, guess }: { file: SeenFile; guess: Exclude<Guess, { isImage: true } | { kind: 'workbook' }> },
): View {
  if ('reason' in guess) return { ...nothing(file), kind: guess.kind, state: 'ready', reason: guess.reason }
  const { id, sha256 } = file
  return {
    ...nothing(file),
    kind: guess.kind,
    state: 'ready',
    url: urlOf({ id, sha256, made: null }),
  }
}

type Header = Pick<View, 'tags' | 'tagsHidden' | 'patient'>
type Found = {
  file: SeenFile
  row: ViewRow
  header: Header
  among: Series | 'unknown' | null
  isSeries?: boolean
  opened?: Opened
}

function imageView(
  { urlOf }: Look,
  { file, row, header, among, isSeries = false, opened = null }: Found,
): View {
  const { answer, key } = row
  const series =
    among && among !== 'unknown'
      ? { files: among.files.length, description: among.description, isShown: isSeries, opened }
      : null
  const common = { ...nothing(file), state: 'ready' as const, series, ...header }
  if ('refused' in answer) return { ...common, ...refusalKind(answer.refused) }
  const { kind, made, facts, notes } = answer.viewed
  const { id, sha256 } = file
  const url = urlOf({ id, sha256, made: made === null ? null : { key, name: made } })
  return { ...common, kind, url, facts, notes }
}

/** Whoever may only look learns how the image was made, not of whom; but whether the file itself tells that. */
async function headerOf(ctx: Context, file: SeenFile, { answer }: ViewRow): Promise<Header> {
  const patient = patientOf(answer) ?? (await patientIn(ctx, file))
  if (file.access !== 'view') return { tags: answer.tags, tagsHidden: false, patient }
  const tags = answer.tags.filter(({ isPatient }) => !isPatient)
  return { tags, tagsHidden: tags.length < answer.tags.length, patient }
}

function patientOf(answer: ViewRow['answer']): View['patient'] {
  if (answer.named !== undefined) return answer.named ? 'named' : 'free'
  return 'viewed' in answer && answer.viewed.facts?.format === 'dicom' ? 'unknown' : null
}

/** Of other volumes, what was found when they were looked at. */
async function patientIn({ db }: Context, { sha256 }: SeenFile): Promise<View['patient']> {
  const [found] = await db
    .select({ isNamed: dicomPlaces.namesPatient })
    .from(dicomPlaces)
    .where(eq(dicomPlaces.sha256, sha256))
  return found === undefined || found.isNamed === null ? null : found.isNamed ? 'named' : 'free'
}
