/** The agreed reading of an image: it belongs to the set, begins with what readers marked, and whoever judges goes on with it. */
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import type { LabelClass } from '@neuroloom/contract/labelling/classes'
import { wholePatch } from '@neuroloom/contract/labelling/patch'
import { countSegments, fillRow, makePixels, type PixelMap } from '@neuroloom/contract/labelling/pixels'
import type { Marks, Whole } from '@neuroloom/contract/labelling/steps'
import type { Thing } from '@neuroloom/contract/labelling/things'
import { labelling as limits } from '@neuroloom/contract/limits'
import { and, eq, inArray } from 'drizzle-orm'
import type { Caller } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import { makeBreath, oneAtATime } from '../../infra/aside/slices.ts'
import type { Context } from '../../infra/context.ts'
import { newId } from '../../infra/ids.ts'
import { requireItem } from './access.ts'
import { MATCH, sharedBy } from './agree.ts'
import { slicePixels, type Upright, uprightOf, valuesOf } from './class-map.ts'
import { readingsOf, sizeOf } from './show.ts'
import { labelReadings, labelWholes, type ReadingRow } from './tables.ts'
import { marksBySlice, wholeNow } from './wholes.ts'

/** What there is already is told and left as it is. */
export async function adjudicate(
  ctx: Context,
  { itemId, readingIds }: Parsed<'labelling/adjudicate'>,
  { user }: Caller,
): Promise<Answer<'labelling/adjudicate'>> {
  const { item, set } = await requireItem(ctx.db, user, itemId, 'review')
  const rows = await ctx.db
    .select()
    .from(labelReadings)
    .where(and(eq(labelReadings.itemId, item.id), inArray(labelReadings.id, readingIds)))
  const chosen = readingIds.flatMap((id) => rows.find((row) => row.id === id) ?? [])
  const size = sizeOf(item)
  const [first] = chosen
  if (!first || !size || chosen.length < new Set(readingIds).size) throw fail('reading_missing')
  const made =
    chosen.length === 1
      ? await wholeNow(ctx.db, first)
      : await oneAtATime(user.id, () => majority(ctx, chosen, { size, classes: set.classes }))
  if (!made) throw fail('reading_missing')
  const whole = await packed(JSON.stringify(made))
  await ctx.db.transaction(async (tx) => {
    const id = newId()
    const [begun] = await tx
      .insert(labelReadings)
      .values({
        ...{ id, itemId: item.id, readerId: null, isAgreed: true, state: 'open' },
        ...{ things: made.things.length, changedAt: ctx.now() },
      })
      .onConflictDoNothing()
      .returning({ id: labelReadings.id })
    // Before its first step.
    if (begun) await tx.insert(labelWholes).values({ readingId: id, seq: 0, whole })
  })
  const agreed = and(eq(labelReadings.itemId, item.id), eq(labelReadings.isAgreed, true))
  const shown = await readingsOf(ctx.db, user, set, await ctx.db.select().from(labelReadings).where(agreed))
  const [reading] = shown
  if (!reading) throw fail('reading_missing')
  return reading
}

const packed = promisify(gzip)

type Size = [number, number, number]

/** Labels, pixels and areas that more than half of the readings have; of boxes and outlines those of the first one, as far as they meet. */
async function majority(
  ctx: Context,
  readings: readonly ReadingRow[],
  { size, classes }: { size: Size; classes: readonly LabelClass[] },
): Promise<Whole | null> {
  if (size[0] * size[1] * size[2] > limits.distanceVoxels) throw fail('work_too_large')
  const all: ((z: number) => Marks)[] = []
  for (const reading of readings) {
    const marksAt = await marksBySlice(ctx.db, reading)
    if (marksAt) all.push(marksAt)
  }
  const values = valuesOf(classes)
  const map = makePixels(size)
  const things: Thing[] = []
  let tags: readonly string[] = []
  const breath = makeBreath()
  for (let z = 0; z < size[2]; z++) {
    const marks = all.map((marksAt) => marksAt(z))
    const planes = marks.map((one) => slicePixels({ ...one, things: new Map() }, z, values))
    vote(map, z, planes)
    things.push(...agreedThings(marks.map((one) => thingsOn(one, z))))
    tags = agreedTags(marks.map((one) => one.tags))
    await breath()
  }
  const numbers = countSegments(map)
  const segments = classes.flatMap(({ id }) => {
    const number = values.get(id) ?? 0
    return numbers.delete(number) ? [{ number, class: id, by: 'assist' as const }] : []
  })
  const patch = wholePatch(map)
  const pixels = patch === null ? '' : Buffer.from(patch).toString('base64')
  return { tags: [...tags], things, segments, pixels }
}

const isMost = (count: number, all: number): boolean => count * 2 > all

function agreedTags(said: readonly (readonly string[])[]): string[] {
  const ids = new Set(said.flat())
  return [...ids].filter((id) => isMost(said.filter((tags) => tags.includes(id)).length, said.length))
}

function vote(map: PixelMap, z: number, planes: readonly Uint8Array[]): void {
  const [width, height] = map.size
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; ) {
      const segment = winner(planes, y * width + x)
      const from = x
      while (x < width && winner(planes, y * width + x) === segment) x++
      if (segment !== 0) fillRow(map, { y, z, from, to: x, segment })
    }
  }
}

/** More than half can only be one. */
function winner(planes: readonly Uint8Array[], index: number): number {
  for (const plane of planes) {
    const value = plane[index] ?? 0
    if (value === 0) continue
    let count = 0
    for (const other of planes) if (other[index] === value) count += 1
    if (isMost(count, planes.length)) return value
  }
  return 0
}

type Placed = { thing: Thing; bounds: Upright }

const thingsOn = (marks: Marks, z: number): Placed[] =>
  [...marks.things.values()].flatMap((thing) => {
    const bounds = thing.place.axis === 2 && thing.place.slice === z ? uprightOf(thing) : null
    return bounds ? [{ thing, bounds }] : []
  })

function agreedThings(said: readonly (readonly Placed[])[]): Thing[] {
  const [first = [], ...others] = said
  if (first.length * Math.max(0, ...others.map(({ length }) => length)) > MOST_COMPARED)
    throw fail('work_too_large')
  return first.flatMap(({ thing, bounds }) => {
    const isThere = (list: readonly Placed[]): boolean =>
      list.some((one) => one.bounds.class === bounds.class && sharedBy(one.bounds, bounds) >= MATCH)
    return isMost(1 + others.filter(isThere).length, said.length) ? [thing] : []
  })
}

/** A second or so. */
const MOST_COMPARED = 20_000_000
