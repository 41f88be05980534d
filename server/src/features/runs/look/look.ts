import type { Answer, Parsed } from '@neuroloom/contract/calls'
import type { Overlay } from '@neuroloom/contract/reading/overlays'
import type { LookedOver } from '@neuroloom/contract/reading/run-looks'
import type { View } from '@neuroloom/contract/viewing'
import { eq } from 'drizzle-orm'
import type { Caller } from '../../../http/access.ts'
import { Failure, fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import type { JobData } from '../../../infra/jobs.ts'
import { refusalKind, shownLater, shownNow, type ViewRow } from '../../files/service.ts'
import { requireRun } from '../access.ts'
import { runs } from '../tables.ts'
import { findLooked, imageOf, type Looked, maskOf } from './find.ts'
import { lookUrl } from './links.ts'
import { asClasses, boxesOver } from './over.ts'

export async function look(
  ctx: Context,
  { id, itemId }: Parsed<'runs/look'>,
  caller: Caller,
): Promise<Answer<'runs/look'>> {
  const looked = await findLooked(ctx, await requireRun(ctx.db, caller.user, id, 'view'), itemId)
  const source = await imageOf(ctx, looked)
  const row = await shownNow(ctx, source)
  const [file] = source.files
  const view = { ...nothing, id: itemId, name: file?.name ?? '', sizeBytes: file?.sizeBytes ?? 0 }
  const lies = { over: overOf(looked), areMasks: masked.has(looked.run.task) }
  if (row) return { view: { ...view, ...viewOf(row, lookUrl(ctx, caller, { id, itemId, row })) }, ...lies }
  await queue(ctx, { runId: id, itemId, over: null })
  const isVolume = looked.run.task === 'volume_segmentation'
  return { view: { ...view, kind: isVolume ? 'volume' : 'picture', state: 'preparing' }, ...lies }
}

const nothing = {
  ...{ type: '', reason: null, url: null, facts: null, notes: [], series: null, tags: [] },
  ...{ patient: null, tagsHidden: false },
}

function viewOf(
  { answer }: ViewRow,
  url: string,
): Pick<View, 'kind' | 'state' | 'reason' | 'url' | 'facts' | 'notes'> {
  const common = { state: 'ready' as const, reason: null, url: null, facts: null, notes: [] }
  if ('refused' in answer) return { ...common, ...refusalKind(answer.refused) }
  const { kind, facts, notes } = answer.viewed
  return { ...common, kind, facts, notes, url }
}

const masked: ReadonlySet<string> = new Set(['segmentation', 'volume_segmentation'])

function overOf({ run: { kind, task }, item, result }: Looked): LookedOver[] {
  const hasTruth = kind === 'test' && (result.boxes !== null || item.label !== null)
  if (!masked.has(task) && result.boxes === null) return []
  return [...(hasTruth ? (['truth'] as const) : []), 'prediction']
}

export async function lookOver(
  ctx: Context,
  { id, itemId, over }: Parsed<'runs/lookOver'>,
  caller: Caller,
): Promise<Answer<'runs/lookOver'>> {
  const looked = await findLooked(ctx, await requireRun(ctx.db, caller.user, id, 'view'), itemId)
  if (!overOf(looked).includes(over)) throw fail('missing')
  if (looked.result.boxes !== null) return { overlay: await boxes(ctx, looked, over), nothing: [] }
  const source = await maskOf(ctx, looked, over)
  if (!source) throw fail('missing')
  const row = await shownNow(ctx, source)
  if (!row) {
    await queue(ctx, { runId: id, itemId, over })
    return { overlay: { ...bare(over), state: 'preparing' }, nothing: [] }
  }
  if ('refused' in row.answer) return { overlay: { ...bare(over), reason: row.answer.refused }, nothing: [] }
  const { notes, labels = [], made } = row.answer.viewed
  const url = made === null ? null : lookUrl(ctx, caller, { id, itemId, row })
  const { labels: named, nothing: background } = asClasses(labels, looked.manifest)
  return { overlay: { ...bare(over), url, notes, labels: named }, nothing: background }
}

const bare = (over: LookedOver): Overlay => ({
  ...{ id: over, name: over, state: 'ready', reason: null, url: null, marks: null, labels: [], notes: [] },
})

async function boxes(ctx: Context, looked: Looked, over: LookedOver): Promise<Overlay> {
  const { truth = [], found = [] } = looked.result.boxes ?? {}
  const row = await shownNow(ctx, await imageOf(ctx, looked))
  const [width, height] = (row && 'viewed' in row.answer && row.answer.viewed.facts?.size) || [1, 1]
  const all = [...truth, ...found]
  const of = over === 'truth' ? truth : found
  const { classes } = looked.manifest
  return { ...bare(over), ...boxesOver({ of, all, classes, size: [width, height, 1] }) }
}

const queue = (ctx: Context, order: JobData['runs.look']): Promise<void> =>
  ctx.jobs.send(null, 'runs.look', order, { singletonKey: Object.values(order).join(' ') })

/** Between the order and the work. */
function goneSince(error: unknown): null {
  if (error instanceof Failure) return null
  throw error
}

/** The job: with all the time there is; the page asks again meanwhile. */
export async function prepareLook(
  ctx: Context,
  { runId, itemId, over }: JobData['runs.look'],
): Promise<void> {
  const [run] = await ctx.db.select().from(runs).where(eq(runs.id, runId))
  const looked = run && (await findLooked(ctx, run, itemId).catch(goneSince))
  if (!looked) return
  const source = over === null ? await imageOf(ctx, looked) : await maskOf(ctx, looked, over)
  if (source) await shownLater(ctx, source)
}
