/** Labels that come in: what files tell, then their marks as steps of the member's own readings, one stroke an image. */
import { type LabelClass, sameName } from '@neuroloom/contract/labelling/classes'
import type { Exchange, ExchangeProblem, ExchangeReason } from '@neuroloom/contract/labelling/exchange'
import type { Marks } from '@neuroloom/contract/labelling/steps'
import { labelExchange, labelling as limits } from '@neuroloom/contract/limits'
import { and, eq, gt, inArray } from 'drizzle-orm'
import type { Context } from '../../../infra/context.ts'
import type { Tx } from '../../../infra/db.ts'
import { newId } from '../../../infra/ids.ts'
import { requireFolder } from '../../files/access.ts'
import { requireSet, type SeenSet } from '../access.ts'
import type { From } from '../formats/read/from.ts'
import { readAs, recogniseLabels } from '../formats/read/read.ts'
import type { FoundClass } from '../formats/shapes.ts'
import { type LabelItemRow, labelReadings, labelSteps, labelWholes, type ReadingRow } from '../tables.ts'
import { marksOf, packedWhole } from '../wholes.ts'
import { fromFolder } from './from-folder.ts'
import { itemsOfSet, targetsOf } from './images.ts'
import { update } from './lease.ts'
import { isBare, wholeOf } from './marks.ts'
import { type Change, changes, merged } from './merge.ts'
import type { Choices, ExchangeRow } from './tables.ts'
import { Whole } from './whole.ts'

type ImportPlan = NonNullable<Exchange['importPlan']>
type Sources = {
  set: SeenSet
  from: From
  items: ReadonlyMap<string, LabelItemRow>
  /** Lists that are too large to be read. */
  oversized: readonly string[]
}

/** As long as the member still may see both. */
async function sourcesOf(ctx: Context, { setId, memberId, folderId }: ExchangeRow): Promise<Sources> {
  const member = { id: memberId }
  const set = await requireSet(ctx.db, member, setId, 'read')
  await requireFolder(ctx.db, member, folderId ?? '', 'view')
  const targets = await targetsOf(ctx, await itemsOfSet(ctx, setId), { withPlaces: true })
  const all = [...targets.values()]
  const { from, oversized } = await fromFolder(ctx, {
    ...{ memberId, folderId: folderId ?? '' },
    targets: all.map(({ target }) => target),
  })
  return { set, from, oversized, items: new Map(all.map(({ item }) => [item.name, item])) }
}

export async function lookAtFiles(ctx: Context, row: ExchangeRow): Promise<void> {
  const { set, from, items, oversized } = await sourcesOf(ctx, row)
  const found = await recogniseLabels(from)
  if (found === null) throw new Whole(oversized.length > 0 ? 'list_too_large' : 'nothing_found')
  const counts = new Map<string, number>()
  const classes = new Map<string, FoundClass>()
  const problems: ExchangeProblem[] = oversized.map((path) => ({ path, reason: 'too_large', params: {} }))
  const images: string[] = []
  let problemCount = problems.length
  for await (const one of readAs(found, from)) {
    if (one.kind === 'class') classes.set(one.class.name, one.class)
    else if (one.kind === 'image') {
      for (const name of classesIn(one.marks)) counts.set(name, (counts.get(name) ?? 0) + 1)
      images.push(items.get(one.target.name)?.id ?? '')
      if (images.length % TOLD === 0) await update(ctx.db, row, { done: images.length, total: items.size })
    } else {
      const { kind: _, ...problem } = one
      problemCount += 1
      if (problems.length < labelExchange.problems) problems.push(problem)
    }
  }
  if (images.length === 0 && oversized.length > 0) throw new Whole('list_too_large')
  const plan: ImportPlan = {
    ...{ found, images: images.length, marked: await countMarked(ctx, row, images) },
    classes: [...classes.values()]
      .slice(0, labelExchange.classes)
      .map((one) => ({ ...one, ...proposed(one.name, set.classes), count: counts.get(one.name) ?? 0 })),
    ...{ problems, problemCount },
  }
  await update(ctx.db, row, { state: 'planned', plan, done: 0, total: images.length, leaseUntil: null })
}

const TOLD = 10

function* classesIn({ tags, things, segments }: Marks): Iterable<string> {
  yield* tags
  for (const thing of things.values()) yield thing.class
  for (const segment of segments.values()) yield segment.class
}

/** A name that is spelled otherwise, in case or width alone, may mean the same: the member is asked. */
function proposed(name: string, classes: readonly LabelClass[]) {
  const same = classes.find((one) => one.name.normalize('NFC') === name)
  const alike = same ?? classes.find((one) => sameName(one.name) === sameName(name))
  return { proposed: alike?.id ?? null, isAlike: alike !== undefined && same === undefined }
}

async function countMarked(
  ctx: Context,
  { memberId }: ExchangeRow,
  itemIds: readonly string[],
): Promise<number> {
  let marked = 0
  for (let start = 0; start < itemIds.length; start += ITEMS) {
    const some = inArray(labelReadings.itemId, itemIds.slice(start, start + ITEMS))
    marked += await ctx.db.$count(
      labelReadings,
      and(some, eq(labelReadings.readerId, memberId), gt(labelReadings.seq, 0)),
    )
  }
  return marked
}

const ITEMS = 1000

export async function takeMarks(ctx: Context, row: ExchangeRow): Promise<void> {
  const { plan, choices } = row
  if (!plan || !('found' in plan) || !choices) throw new Whole('internal')
  const { set, from, items } = await sourcesOf(ctx, row)
  const problems: ExchangeProblem[] = []
  let [done, problemCount] = [0, 0]
  for await (const one of readAs(plan.found, from)) {
    const item = one.kind === 'image' ? items.get(one.target.name) : undefined
    if (one.kind !== 'image' || !item) continue
    await ctx.room.require()
    done += 1
    const left = await takeOne(ctx, row, { set, item, read: one.marks, choices, done })
    if (left === null) continue
    problemCount += 1
    const params = { name: item.name, limit: limits.things }
    if (problems.length < labelExchange.problems) problems.push({ path: one.source, reason: left, params })
  }
  const ended = { state: 'done' as const, leaseUntil: null, endedAt: ctx.now() }
  await update(ctx.db, row, { ...ended, plan: { ...plan, problems, problemCount } })
}

type One = { set: SeenSet; item: LabelItemRow; read: Marks; choices: Choices; done: number }

/** All of an image or nothing, and once, however often it is begun; answers what kept some of it out. */
async function takeOne(
  ctx: Context,
  row: ExchangeRow,
  { set, item, read, choices, done }: One,
): Promise<ExchangeReason | null> {
  return ctx.db.transaction(async (tx) => {
    await update(tx, row, { done })
    const reading = await ownReading(ctx, tx, { item, memberId: row.memberId })
    if (await isTaken(tx, reading, row)) return null
    // What a reviewer has accepted takes nothing more.
    if (reading.state === 'accepted') return 'already_accepted'
    const before = await marksOf(tx, reading)
    if (!before || (choices.merge === 'empty' && !isBare(before))) return null
    const way = choices.merge === 'replace' ? ('replace' as const) : ('add' as const)
    const given = { classes: choices.classes, way, oneTag: set.oneTag, id: row.id }
    const after = merged(before, read, given)
    if (after.things.size > limits.things) return 'image_full'
    await keep(ctx, tx, { reading, row, after, made: [...changes(before, after)] })
    const told = new Set([...before.tags, ...read.tags.flatMap((name) => choices.classes[name] ?? [])])
    return way === 'add' && set.oneTag && told.size > 1 ? 'one_label' : null
  })
}

async function ownReading(
  ctx: Context,
  tx: Tx,
  { item, memberId }: { item: LabelItemRow; memberId: string },
): Promise<ReadingRow> {
  const own = and(eq(labelReadings.itemId, item.id), eq(labelReadings.readerId, memberId))
  await tx
    .insert(labelReadings)
    .values({ id: newId(), itemId: item.id, readerId: memberId, state: 'open', changedAt: ctx.now() })
    .onConflictDoNothing()
  const [reading] = await tx.select().from(labelReadings).where(own).for('update')
  if (!reading) throw new Whole('missing')
  return reading
}

/** Numbers of steps are made of the exchange's, so that one that came in before is known again. */
const stepIdOf = ({ id }: ExchangeRow, index: number): string => `${id}-${index.toString(36)}`

async function isTaken(tx: Tx, { id }: ReadingRow, row: ExchangeRow): Promise<boolean> {
  const first = and(eq(labelSteps.readingId, id), eq(labelSteps.stepId, stepIdOf(row, 0)))
  return (await tx.$count(labelSteps, first)) > 0
}

type Keeping = { reading: ReadingRow; row: ExchangeRow; after: Marks; made: Change[] }

async function keep(ctx: Context, tx: Tx, { reading, row, after, made }: Keeping): Promise<void> {
  if (made.length === 0) return
  const now = ctx.now()
  const common = { readingId: reading.id, stroke: row.id, tool: 'import', madeAt: now.getTime(), keptAt: now }
  for (let start = 0; start < made.length; start += ROWS) {
    const some = made.slice(start, start + ROWS)
    await tx.insert(labelSteps).values(
      some.map((change, index) => ({
        ...{ ...common, ...change },
        seq: reading.seq + start + index + 1,
        stepId: stepIdOf(row, start + index),
      })),
    )
  }
  const seq = reading.seq + made.length
  await tx
    .update(labelReadings)
    .set({ seq, things: after.things.size, changedAt: now })
    .where(eq(labelReadings.id, reading.id))
  // So much at once is more than the next visit should replay.
  await tx
    .insert(labelWholes)
    .values({ readingId: reading.id, seq, whole: await packedWhole(wholeOf(after)) })
  await ctx.live.passing({ kind: 'reading', id: reading.id }, 'steps', { seq }, tx)
}

/** Of one statement. */
const ROWS = 1000
