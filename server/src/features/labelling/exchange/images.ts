/** The images of a set as files may be about them: names, sizes, and where they lie in the patient. */

import { and, asc, eq } from 'drizzle-orm'
import type { Context } from '../../../infra/context.ts'
import type { ImagePlace } from '../../../infra/reader/labels/labels.ts'
import { placesOf } from '../../files/service.ts'
import { stemsOf, type Target } from '../formats/shapes.ts'
import { sourceOf } from '../images.ts'
import { sizeOf } from '../show.ts'
import { type LabelItemRow, labelItems } from '../tables.ts'

export const itemsOfSet = (ctx: Context, setId: string): Promise<LabelItemRow[]> =>
  ctx.db
    .select()
    .from(labelItems)
    .where(and(eq(labelItems.setId, setId), eq(labelItems.isGone, false)))
    .orderBy(asc(labelItems.position))

/** Read at once by one program. */
const AT_ONCE = 24

/** Those that nobody has opened are measured now; what cannot be read, and videos that no page has opened, are left out. */
export async function targetsOf(
  ctx: Context,
  items: readonly LabelItemRow[],
  { withPlaces }: { withPlaces: boolean },
): Promise<Map<string, { item: LabelItemRow; target: Target }>> {
  const targets = new Map<string, { item: LabelItemRow; target: Target }>()
  const asked = items.filter(
    (item) => item.kind !== 'video' && (sizeOf(item) === null || (withPlaces && item.kind === 'volume')),
  )
  const places = new Map<string, ImagePlace>()
  for (let start = 0; start < asked.length; start += AT_ONCE) {
    const batch = asked.slice(start, start + AT_ONCE)
    const found = await placesOf(ctx, await Promise.all(batch.map(({ id }) => sourceOf(ctx.db, id))))
    for (const [index, item] of batch.entries()) {
      const place = found[index]
      if (!place) continue
      places.set(item.id, place)
      if (sizeOf(item) === null) await keepSize(ctx, item, place)
    }
  }
  for (const item of items) {
    const place = places.get(item.id)
    const size = sizeOf(item) ?? place?.size
    if (size)
      targets.set(item.name, { item, target: { name: item.name, size, geometry: place?.geometry ?? null } })
  }
  return targets
}

const keepSize = (ctx: Context, { id }: LabelItemRow, { size: [width, height, depth] }: ImagePlace) =>
  ctx.db.update(labelItems).set({ width, height, depth }).where(eq(labelItems.id, id))

export async function placeOf(ctx: Context, item: LabelItemRow): Promise<ImagePlace | null> {
  const [place] = await placesOf(ctx, [await sourceOf(ctx.db, item.id)])
  return place ?? null
}

/** Of all images of the set, so that names are the same whichever of them go out. */
export const stemsIn = (items: readonly LabelItemRow[]): Map<string, string> =>
  stemsOf(items.map(({ name }) => name))
