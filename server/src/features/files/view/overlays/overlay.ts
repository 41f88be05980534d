import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { viewing as limits } from '@neuroloom/contract/limits'
import type { Overlay } from '@neuroloom/contract/reading/overlays'
import type { Caller } from '../../../../http/access.ts'
import { fail } from '../../../../http/fail.ts'
import type { Context } from '../../../../infra/context.ts'
import type { JobData } from '../../../../infra/jobs.ts'
import type { Eyes, SeenFile } from '../../access.ts'
import { shownNow } from '../bytes.ts'
import { seriesAmong, sliceFiles } from '../dicom-series.ts'
import { eyesOf, isSeen } from '../eyes.ts'
import { type Look, linkLook, memberLook } from '../look.ts'
import { findView, keyOf, makeView, type OverlaySource, type ViewSource } from '../make.ts'
import { sourceOf } from '../sources.ts'
import type { ViewRow } from '../tables.ts'
import { candidatesOf } from './candidates.ts'
import { labelFilesNear } from './label-files.ts'
import type { MarkedOrNot } from './marked.ts'
import { labelEndings } from './partners.ts'
import { tableNamesOf } from './value-tables.ts'

export async function list(
  ctx: Context,
  { id }: Parsed<'files/overlays'>,
  caller: Caller,
): Promise<Answer<'files/overlays'>> {
  const { eyes } = memberLook(ctx, caller)
  const image = await eyes.find(id)
  const asked = { userId: caller.user.id, sha256s: [image.sha256] }
  const sets = await Promise.all(ctx.told('labelsOver').map((told) => told.candidates(ctx, asked)))
  return { candidates: [...sets.flat(), ...(await candidatesOf(ctx, eyes, image))] }
}

export async function listLinked(
  ctx: Context,
  { pass, id }: Parsed<'files/overlaysLinked'>,
): Promise<Answer<'files/overlaysLinked'>> {
  const { eyes } = await linkLook(ctx, pass)
  return { candidates: await candidatesOf(ctx, eyes, await eyes.find(id)) }
}

export const lay = (
  ctx: Context,
  body: Parsed<'files/overlay'>,
  caller: Caller,
): Promise<Answer<'files/overlay'>> => overlay(ctx, body, memberLook(ctx, caller))

export async function layLinked(
  ctx: Context,
  { pass, ...body }: Parsed<'files/overlayLinked'>,
): Promise<Answer<'files/overlayLinked'>> {
  return overlay(ctx, body, await linkLook(ctx, pass))
}

type Wanted = { id: string; series: boolean; maskId: string }

async function overlay(ctx: Context, wanted: Wanted, look: Look): Promise<Overlay> {
  const { who, eyes, urlOf } = look
  const marked = await markedOver(ctx, wanted, look)
  if (marked) return marked
  const { mask, source } = await sourcesOf(ctx, eyes, wanted)
  const { id, name } = mask
  const row = await shownNow(ctx, source)
  if (row === null) {
    const order = { ...who, fileId: wanted.id, series: wanted.series, maskId: wanted.maskId }
    await ctx.jobs.send(null, 'files.overlay', order, { singletonKey: Object.values(order).join(' ') })
    return { ...nothing, id, name, state: 'preparing' }
  }
  const { answer, key } = row
  if (!('viewed' in answer)) return { ...nothing, id, name, reason: answer.refused }
  const { made: file, notes, labels = [] } = answer.viewed
  const names = await tableNamesOf(ctx, eyes, mask)
  return {
    ...{ ...nothing, id, name, notes },
    url: file === null ? null : urlOf({ id, sha256: mask.sha256, made: { key, name: file } }),
    labels: labels.map((label) => ({ ...label, name: label.name ?? names.get(label.key) ?? null })),
  }
}

const nothing = {
  ...{ state: 'ready' as const, reason: null, url: null, marks: null },
  ...{ labels: [], notes: [] },
}

/** Of a file of labels, or of a labelling set; null of a mask. */
async function markedOver(ctx: Context, wanted: Wanted, { who, eyes }: Look): Promise<Overlay | null> {
  const { id, series, maskId } = wanted
  const file = await eyes.find(id)
  const isFile = await isSeen(eyes, maskId)
  const labels = isFile ? await eyes.find(maskId) : null
  if (labels && !labelEndings.test(labels.name)) return null
  const source = await imageOf(ctx, eyes, { file, series })
  // The page shows it already: how large it is, is known.
  const row = await shownNow(ctx, source)
  if (!row) return { ...nothing, id: maskId, name: labels?.name ?? '', state: 'preparing' }
  const size = sizeOf(row)
  const found = labels
    ? await inFile(ctx, eyes, { who, file, labels, size })
    : await inSet(ctx, { who, id: maskId, source, size })
  if (!found) throw fail('missing')
  const { name, marked } = found
  return 'refused' in marked
    ? { ...nothing, id: maskId, name, reason: marked.refused }
    : { ...nothing, id: maskId, name, ...marked }
}

function sizeOf({ answer }: ViewRow): readonly [number, number, number] {
  const [width, height, slices] = ('viewed' in answer && answer.viewed.facts?.size) || [1, 1, 1]
  return [width, height, slices]
}

type Named = { name: string; marked: MarkedOrNot }
type InFile = {
  who: Look['who']
  file: SeenFile
  labels: SeenFile
  size: readonly [number, number, number]
}

async function inFile(ctx: Context, eyes: Eyes, { who, file, labels, size }: InFile): Promise<Named | null> {
  const { name, sha256, sizeBytes } = labels
  if (sizeBytes > limits.labelsBytes) {
    const params = { limit: Math.round(limits.labelsBytes / 1024 ** 2) }
    return { name, marked: { refused: { name: 'too_large', params } } }
  }
  const near = await labelFilesNear(ctx, eyes, file)
  const askerId = 'userId' in who ? who.userId : who.linkId
  const path = near.labels.find(({ id }) => id === labels.id)?.path ?? name
  // Lists may mean an image of the same name elsewhere, if that lies no farther from them.
  const others = near.others.filter((other) => together(other, path) >= together(near.path, path))
  const asked = {
    ...{ askerId, others, tables: near.tables },
    ...{ image: { path: near.path, size }, file: { path, sha256, sizeBytes } },
  }
  const [reader] = ctx.told('labelsOver')
  return reader ? { name, marked: await reader.inFile(ctx, asked) } : null
}

/** How many folders two paths have in common. */
function together(one: string, other: string): number {
  const [a, b] = [one.split('/').slice(0, -1), other.split('/').slice(0, -1)]
  const apart = a.findIndex((part, at) => part !== b[at])
  return apart < 0 ? a.length : apart
}

type InSet = { who: Look['who']; id: string; source: ViewSource; size: InFile['size'] }

async function inSet(ctx: Context, { who, id, source, size }: InSet): Promise<Named | null> {
  // Visitors of a link are no readers of anything.
  if (!('userId' in who)) return null
  const asked = { userId: who.userId, sha256s: source.files.map(({ sha256 }) => sha256), id, size }
  const [keeper] = ctx.told('labelsOver')
  return keeper ? keeper.find(ctx, asked) : null
}

/** The job: what the call put off; then the page asks again. */
export async function prepareOverlay(
  ctx: Context,
  { fileId, series, maskId, ...who }: JobData['files.overlay'],
): Promise<void> {
  const eyes = eyesOf(ctx, who)
  const found = await sourcesOf(ctx, eyes, { id: fileId, series, maskId }).catch(() => null)
  if (found && !(await findView(ctx, keyOf(found.source)))) await makeView(ctx, found.source, 'job')
  // A link's visitor hears no news: the page asks again.
  if ('userId' in who)
    await ctx.live.passing({ kind: 'user', id: who.userId }, 'view', { id: fileId, series })
}

async function sourcesOf(
  ctx: Context,
  eyes: Eyes,
  { id, series, maskId }: Wanted,
): Promise<{ mask: SeenFile; source: OverlaySource }> {
  const file = await eyes.find(id)
  const mask = await eyes.find(maskId)
  const image = await imageOf(ctx, eyes, { file, series })
  return { mask, source: { ...(await sourceOf(ctx, eyes, mask)), image } }
}

async function imageOf(
  ctx: Context,
  eyes: Eyes,
  { file, series }: { file: SeenFile; series: boolean },
): Promise<ViewSource> {
  const among = series ? await seriesAmong(ctx.db, await sliceFiles(ctx.db, eyes, file), file.sha256) : null
  return among ? { files: among.files, siblings: [] } : sourceOf(ctx, eyes, file)
}
