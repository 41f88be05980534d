/** A reading as a whole: what is kept of it now and then, and the steps since. */

import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { KeptStep } from '@neuroloom/contract/labelling/labelling'
import { doDeed, marksFrom, noMarks } from '@neuroloom/contract/labelling/marks'
import { folding, slicesOf } from '@neuroloom/contract/labelling/patch'
import type { PixelMap } from '@neuroloom/contract/labelling/pixels'
import { type Marks, type Whole, wholeSchema } from '@neuroloom/contract/labelling/steps'
import { labelling as limits } from '@neuroloom/contract/limits'
import { and, asc, desc, eq, gt, lte, sql } from 'drizzle-orm'
import { fail } from '../../http/fail.ts'
import { makeBreath } from '../../infra/aside/slices.ts'
import type { Context } from '../../infra/context.ts'
import type { Db, Tx } from '../../infra/db.ts'
import { sizeOf } from './show.ts'
import {
  labelItems,
  labelReadings,
  labelSteps,
  labelWholes,
  type ReadingRow,
  type StepRow,
} from './tables.ts'

const packed = promisify(gzip)
const unpacked = promisify(gunzip)

type Begun<Step> = { whole: Whole; wholeSeq: number; steps: Step[] }

/** The last whole up to a step, and the steps from there to it; pages replay them. */
export async function begunFrom(db: Db, readingId: string, seq: number): Promise<Begun<KeptStep>> {
  const begun = await rowsFrom(db, readingId, seq)
  return { ...begun, steps: begun.steps.map(stepOf) }
}

async function rowsFrom(db: Db, readingId: string, seq: number): Promise<Begun<StepRow>> {
  const [kept] = await db
    .select()
    .from(labelWholes)
    .where(and(eq(labelWholes.readingId, readingId), lte(labelWholes.seq, seq)))
    .orderBy(desc(labelWholes.seq))
    .limit(1)
  const wholeSeq = kept?.seq ?? 0
  const steps = await stepsBetween(db, readingId, { after: wholeSeq, upTo: seq })
  return { whole: kept ? await wholeFrom(kept.whole) : noMarks(), wholeSeq, steps }
}

type Span = { after: number; upTo: number }

/** Refuses what would be more than an answer should hold: a page so far behind opens its image anew. */
export async function stepsBetween(db: Db, readingId: string, span: Span): Promise<StepRow[]> {
  if (span.after >= span.upTo) return []
  const isBetween = and(
    eq(labelSteps.readingId, readingId),
    gt(labelSteps.seq, span.after),
    lte(labelSteps.seq, span.upTo),
  )
  const [size] = await db.select({ bytes: bytesOfSteps }).from(labelSteps).where(isBetween)
  if ((size?.bytes ?? 0) > limits.unfoldedBytes + limits.saveBytes) throw fail('too_much_at_once')
  return db.select().from(labelSteps).where(isBetween).orderBy(asc(labelSteps.seq))
}

const bytesOfSteps =
  sql`coalesce(sum(coalesce(octet_length(${labelSteps.patch}), 0) + pg_column_size(${labelSteps.deed})), 0)`.mapWith(
    Number,
  )

export const packedWhole = (whole: Whole): Promise<Buffer> => packed(JSON.stringify(whole))

async function wholeFrom(bytes: Buffer): Promise<Whole> {
  return wholeSchema.parse(JSON.parse((await unpacked(bytes)).toString('utf8')))
}

export function stepOf({ seq, stepId, stroke, tool, madeAt, keptAt, deed, patch }: StepRow): KeptStep {
  return {
    ...{ seq, id: stepId, stroke, tool, madeAt },
    keptAt: keptAt.toISOString(),
    deed:
      deed.do === 'pixels' ? { do: 'pixels', patch: (patch ?? Buffer.alloc(0)).toString('base64') } : deed,
  }
}

/**
 * Whether so much came since the last whole that the next visit should not have to replay it. What no worker folds is not
 * taken in without end: pages keep it until one does.
 */
export async function foldIfDue(ctx: Context, tx: Tx, readingId: string): Promise<void> {
  const [last] = await tx
    .select({ seq: labelWholes.seq, bytes: sql`octet_length(${labelWholes.whole})`.mapWith(Number) })
    .from(labelWholes)
    .where(eq(labelWholes.readingId, readingId))
    .orderBy(desc(labelWholes.seq))
    .limit(1)
  const [since] = await tx
    .select({ steps: sql`count(*)`.mapWith(Number), bytes: bytesOfSteps })
    .from(labelSteps)
    .where(and(eq(labelSteps.readingId, readingId), gt(labelSteps.seq, last?.seq ?? 0)))
  const { steps = 0, bytes = 0 } = since ?? {}
  if (bytes > limits.unfoldedBytes) throw fail('busy')
  const isMuch = steps >= limits.foldSteps || bytes >= limits.foldBytes
  if (isMuch && bytes * limits.foldShare >= (last?.bytes ?? 0))
    await ctx.jobs.send(tx, 'labelling.fold', { readingId }, { singletonKey: readingId })
}

/**
 * The job. Wholes are made so far apart that all of them stay: any step is then near one. Nothing is held but the changes
 * and one tile, whatever was drawn: a hostile change of some bytes can touch as many tiles as fit no memory.
 */
export async function fold(ctx: Context, readingId: string): Promise<void> {
  const [reading] = await ctx.db.select().from(labelReadings).where(eq(labelReadings.id, readingId))
  const made = reading && (await wholeNow(ctx.db, reading))
  if (!made) return
  const whole = await packedWhole(made)
  const { seq } = reading
  await ctx.db.transaction(async (tx) => {
    await tx.insert(labelWholes).values({ readingId, seq, whole }).onConflictDoNothing()
    // Pages tell what there was before each step; now it is known.
    const since = sql`(
      select coalesce(sum((deed ->> 'after' is not null)::int - (deed ->> 'before' is not null)::int), 0)
      from ${labelSteps}
      where reading_id = ${readingId} and seq > ${seq} and deed ->> 'do' = 'thing')`
    await tx.select().from(labelReadings).where(eq(labelReadings.id, readingId)).for('update')
    await tx
      .update(labelReadings)
      .set({ things: sql`greatest(0, ${made.things.length} + ${since})` })
      .where(eq(labelReadings.id, readingId))
  })
}

/** All marks of a reading as they are now; null while its image has no size. */
export const wholeNow = async (db: Db, reading: ReadingRow): Promise<Whole | null> =>
  (await sizedWhole(db, reading))?.whole ?? null

async function sizedWhole(
  db: Db,
  reading: ReadingRow,
): Promise<{ size: PixelMap['size']; whole: Whole } | null> {
  const [item] = await db.select().from(labelItems).where(eq(labelItems.id, reading.itemId))
  const size = item ? sizeOf(item) : null
  if (size === null) return null
  const { whole, steps } = await rowsFrom(db, reading.id, reading.seq)
  const marks: Marks = marksFrom([1, 1, 1], { ...whole, pixels: '' })
  const patches: Uint8Array[] = whole.pixels === '' ? [] : [Buffer.from(whole.pixels, 'base64')]
  for (const { deed, patch } of steps) {
    if (deed.do !== 'pixels') doDeed(marks, deed)
    else if (patch) patches.push(patch)
  }
  const pixels = await folded(size, patches)
  return {
    size,
    whole: {
      tags: [...marks.tags],
      things: [...marks.things.values()],
      segments: [...marks.segments.values()],
      pixels: pixels === null ? '' : Buffer.from(pixels).toString('base64'),
    },
  }
}

/**
 * The marks as they are now, to be asked for slice by slice from the first on: of the map, that slice alone. A map as a whole
 * may be larger than memory, however few bytes it was drawn with.
 */
export async function marksBySlice(db: Db, reading: ReadingRow): Promise<((z: number) => Marks) | null> {
  const now = await sizedWhole(db, reading)
  if (!now) return null
  const { size, whole } = now
  const marks = marksFrom(size, { ...whole, pixels: '' })
  const sliceAt = slicesOf(size, Buffer.from(whole.pixels, 'base64'))
  return (z) => ({ ...marks, pixels: sliceAt(z) })
}

async function folded(
  size: readonly [number, number, number],
  patches: readonly Uint8Array[],
): Promise<Uint8Array | null> {
  const breath = makeBreath()
  const steps = folding(size, patches)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    await breath()
  }
}

/** The same as marks to work with. */
export async function marksOf(db: Db, reading: ReadingRow): Promise<Marks | null> {
  const now = await sizedWhole(db, reading)
  return now && marksFrom(now.size, now.whole)
}
