/** The marks of a reading, and what a deed of its journal makes of them: the same functions replay it in the browser and on the server. Free of schemas, so that pages can carry it. */
import { fromBase64 } from './base64.ts'
import { applyPatch, mapFrom, takeBack } from './patch.ts'
import type { PixelMap } from './pixels.ts'
import type { Deed, Marks, Whole } from './steps.ts'

export const noMarks = (): Whole => ({ tags: [], things: [], segments: [], pixels: '' })

/** Throws `RangeError` where the bytes do not fit the image. */
export function marksFrom(size: PixelMap['size'], whole: Whole): Marks {
  return {
    tags: whole.tags,
    things: new Map(whole.things.map((thing) => [thing.id, thing])),
    segments: new Map(whole.segments.map((segment) => [segment.number, segment])),
    pixels: mapFrom(size, whole.pixels === '' ? null : fromBase64(whole.pixels)),
  }
}

/** Makes the deed; `before` is told which tiles of the map change. Throws `RangeError` where it does not fit the image. */
export function doDeed(marks: Marks, deed: Deed, before?: (tile: number) => void): void {
  switch (deed.do) {
    case 'pixels':
      applyPatch(marks.pixels, fromBase64(deed.patch), before)
      break
    case 'thing':
      put(marks.things, deed, ({ id }) => id)
      break
    case 'segment':
      put(marks.segments, deed, ({ number }) => number)
      break
    case 'tags':
      marks.tags = merged(marks.tags, deed)
      break
  }
}

/** Takes the deed back as far as it still shows: what was drawn over or changed since by somebody else stays. */
export function undoDeed(marks: Marks, deed: Deed, before?: (tile: number) => void): void {
  switch (deed.do) {
    case 'pixels':
      takeBack(marks.pixels, fromBase64(deed.patch), before)
      break
    case 'thing':
      put(marks.things, { before: deed.after, after: deed.before }, ({ id }) => id)
      break
    case 'segment':
      put(marks.segments, { before: deed.after, after: deed.before }, ({ number }) => number)
      break
    case 'tags':
      marks.tags = merged(marks.tags, { before: deed.after, after: deed.before })
      break
  }
}

function put<Id, Kind>(
  into: Map<Id, Kind>,
  { before, after }: { before: Kind | null; after: Kind | null },
  idOf: (one: Kind) => Id,
): void {
  if (after !== null) into.set(idOf(after), after)
  else if (before !== null) into.delete(idOf(before))
}

/** Only what the deed adds and takes away: what another one added meanwhile stays. */
function merged(tags: readonly string[], { before, after }: { before: string[]; after: string[] }): string[] {
  const taken = new Set(before.filter((id) => !after.includes(id)))
  return [...new Set([...tags.filter((id) => !taken.has(id)), ...after.filter((id) => !before.includes(id))])]
}
