import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { fromBase64 } from '@neuroloom/contract/labelling/base64'
import type { LabelClass } from '@neuroloom/contract/labelling/classes'
import { runsIn } from '@neuroloom/contract/labelling/patch'
import type { Deed, Step } from '@neuroloom/contract/labelling/steps'
import type { Thing } from '@neuroloom/contract/labelling/things'
import { labelling as limits } from '@neuroloom/contract/limits'
import { and, eq, inArray } from 'drizzle-orm'
import type { Caller } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import { makeBreath } from '../../infra/aside/slices.ts'
import type { Context } from '../../infra/context.ts'
import type { Tx } from '../../infra/db.ts'
import { requireReading } from './access.ts'
import { sizeOf } from './show.ts'
import { type LabelSetRow, labelReadings, labelSets, labelSteps, type ReadingRow } from './tables.ts'
import { foldIfDue, stepOf, stepsBetween } from './wholes.ts'

/** Steps are kept all or none, each once, in the order of their arrival. */
export async function save(
  ctx: Context,
  { readingId, after, steps }: Parsed<'labelling/save'>,
  { user }: Caller,
): Promise<Answer<'labelling/save'>> {
  const { item, isOwn } = await requireReading(ctx.db, user, readingId)
  if (steps.length > 0 && !isOwn) throw fail('not_allowed')
  const size = sizeOf(item)
  if (size === null) throw fail('step_refused', { number: 1 })
  if (steps.length > 0) await ctx.room.require()
  const checked = await checkedSteps(size, steps)
  return ctx.db.transaction(async (tx) => {
    const reading = await lockReading(tx, readingId)
    const own = new Set(steps.map(({ id }) => id))
    const missed = (await stepsBetween(tx, readingId, { after, upTo: reading.seq })).filter(
      ({ stepId }) => !own.has(stepId),
    )
    const fresh = await notKept(tx, readingId, checked)
    if (fresh.length === 0) return { seq: reading.seq, missed: missed.map(stepOf) }
    if (reading.state === 'accepted') throw fail('reading_closed')
    await requireClasses(tx, item.setId, fresh)
    const things = reading.things + fresh.reduce((sum, { deed }) => sum + countOf(deed), 0)
    if (things > limits.things) throw fail('step_refused', { number: 1 })
    const now = ctx.now()
    const seq = reading.seq + fresh.length
    await tx.insert(labelSteps).values(
      fresh.map(({ id, stroke, tool, madeAt, deed, patch }, index) => ({
        ...{ readingId, seq: reading.seq + index + 1, stepId: id, stroke, tool, madeAt, keptAt: now, patch },
        deed: deed.do === 'pixels' ? { do: 'pixels' as const } : deed,
      })),
    )
    await tx.update(labelReadings).set({ seq, things, changedAt: now }).where(eq(labelReadings.id, readingId))
    await foldIfDue(ctx, tx, readingId)
    await ctx.live.passing({ kind: 'reading', id: readingId }, 'steps', { seq }, tx)
    return { seq, missed: missed.map(stepOf) }
  })
}

/** `number`: its place in the call, from 1 on. */
type Checked = Step & { number: number; patch: Buffer | null }
type Size = readonly [number, number, number]

/** Large strokes take a while to look through, and others are answered meanwhile. */
async function checkedSteps(size: Size, steps: readonly Step[]): Promise<Checked[]> {
  const breath = makeBreath()
  const checked: Checked[] = []
  for (const [index, step] of steps.entries()) {
    checked.push(checkedStep(size, step, index + 1))
    await breath()
  }
  return checked
}

/** Does it fit the image? Whether its class is known is asked under the set's lock. */
function checkedStep(size: Size, step: Step, number: number): Checked {
  const { deed } = step
  if (deed.do !== 'pixels') {
    if (deed.do === 'thing' && !isWithin(size, deed.after)) throw fail('step_refused', { number })
    return { ...step, number, patch: null }
  }
  try {
    const patch = Buffer.from(fromBase64(deed.patch))
    for (const _ of runsIn(size, patch));
    return { ...step, number, patch }
  } catch (error) {
    if (error instanceof RangeError) throw fail('step_refused', { number })
    throw error
  }
}

const isWithin = (size: Size, thing: Thing | null): boolean =>
  thing === null || thing.place.slice < (size[thing.place.axis] ?? 0)

const countOf = (deed: Deed): number =>
  deed.do === 'thing' ? Number(deed.after !== null) - Number(deed.before !== null) : 0

async function lockReading(tx: Tx, id: string): Promise<ReadingRow> {
  const [reading] = await tx.select().from(labelReadings).where(eq(labelReadings.id, id)).for('update')
  if (!reading) throw fail('reading_missing')
  return reading
}

async function notKept(tx: Tx, readingId: string, steps: readonly Checked[]): Promise<Checked[]> {
  if (steps.length === 0) return []
  const ids = steps.map(({ id }) => id)
  const known = await tx
    .select({ id: labelSteps.stepId })
    .from(labelSteps)
    .where(and(eq(labelSteps.readingId, readingId), inArray(labelSteps.stepId, ids)))
  const kept = new Set(known.map(({ id }) => id))
  return steps.filter(({ id }) => !kept.has(id) && kept.add(id))
}

/** A class that was removed while a page still had it comes back: no stroke is lost by it. */
async function requireClasses(tx: Tx, setId: string, steps: readonly Checked[]): Promise<void> {
  const before = await readSet(tx, setId)
  const isBack = unknownIn(before, steps).size > 0
  // The owner may be changing them. Two that hold the row together could never both change it.
  const set = await readSet(tx, setId, isBack ? 'no key update' : 'share')
  const unknown = unknownIn(set, steps)
  if (unknown.size === 0) return
  // Removed at this very moment: the page tries again.
  if (!isBack) throw fail('busy')
  const back = new Map<string, LabelClass>()
  for (const [id, number] of unknown) {
    const former = set.formerClasses.find((one) => one.id === id)
    if (!former) throw fail('step_refused', { number })
    back.set(id, former)
  }
  await bringBack(tx, set, back)
}

async function readSet(tx: Tx, id: string, lock?: 'share' | 'no key update'): Promise<LabelSetRow> {
  const found = tx.select().from(labelSets).where(eq(labelSets.id, id))
  const [set] = await (lock ? found.for(lock) : found)
  if (!set) throw fail('label_set_missing')
  return set
}

/** Classes that the set does not have, with the first step that needs each. */
function unknownIn({ classes }: LabelSetRow, steps: readonly Checked[]): Map<string, number> {
  const known = new Set(classes.map(({ id }) => id))
  const unknown = new Map<string, number>()
  for (const { deed, number } of steps)
    for (const id of classesOf(deed)) if (!known.has(id) && !unknown.has(id)) unknown.set(id, number)
  return unknown
}

function classesOf(deed: Deed): string[] {
  switch (deed.do) {
    case 'thing':
    case 'segment':
      return deed.after === null ? [] : [deed.after.class]
    case 'tags':
      return deed.after
    case 'pixels':
      return []
  }
}

/** Without a key: another class may have it by now. */
async function bringBack(tx: Tx, set: LabelSetRow, back: ReadonlyMap<string, LabelClass>): Promise<void> {
  await tx
    .update(labelSets)
    .set({
      classes: [...set.classes, ...[...back.values()].map((one) => ({ ...one, key: null }))],
      formerClasses: set.formerClasses.filter(({ id }) => !back.has(id)),
    })
    .where(eq(labelSets.id, set.id))
}
