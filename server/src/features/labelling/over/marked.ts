import type { Whole } from '@neuroloom/contract/labelling/steps'
import { viewing as limits } from '@neuroloom/contract/limits'
import type { Overlay, OverlayLabel } from '@neuroloom/contract/reading/overlays'
import type { ViewNote, ViewReason } from '@neuroloom/contract/viewing'

type Marks = NonNullable<Overlay['marks']>
/** `size` is that of the image. */
export type Marked = { marks: Omit<Marks, 'size'>; labels: OverlayLabel[]; notes: ViewNote[] }
export type MarkedOrNot = Marked | { refused: ViewReason }
type Class = { id: string; name: string; colour: string | null }

/** One byte tells so many classes apart. */
const MOST = 255

/** Marks with their classes as labels, counted from 1 on in the order of the classes; without those that mark nothing. */
export function markedOf(
  whole: Whole,
  { classes, leftOut }: { classes: readonly Class[]; leftOut: number },
): MarkedOrNot {
  const counts = new Map<string, number>()
  for (const { class: owner } of [...whole.things, ...whole.segments])
    counts.set(owner, (counts.get(owner) ?? 0) + 1)
  const known = new Map(classes.map((one) => [one.id, one]))
  const used = [...new Set([...known.keys(), ...counts.keys()])].filter((id) => counts.has(id))
  if (used.length > MOST) return { refused: { name: 'overlay_values', params: {} } }
  const keys = new Map(used.map((id, index) => [id, String(index + 1)]))
  const keyed = <Kind extends { class: string }>(one: Kind): Kind => ({
    ...one,
    class: keys.get(one.class) ?? '',
  })
  const things = whole.things.slice(0, limits.marks)
  const total = whole.things.length
  return {
    marks: {
      tags: whole.tags.map((id) => known.get(id)?.name ?? id),
      things: things.map(keyed),
      segments: whole.segments.map(keyed),
      pixels: whole.pixels,
    },
    labels: used.map((id, index) => {
      const { name = id, colour = null } = known.get(id) ?? {}
      return { key: String(index + 1), name, colour, count: counts.get(id) ?? 0 }
    }),
    notes: [
      ...(leftOut > 0 ? [{ name: 'overlay_left_out' as const, params: { count: leftOut } }] : []),
      ...(total > things.length
        ? [{ name: 'overlay_cut' as const, params: { shown: things.length, total } }]
        : []),
    ],
  }
}
