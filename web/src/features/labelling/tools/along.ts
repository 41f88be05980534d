/** Commands along the slices of a stack or the frames of a video: marks are taken along, and what lies between is filled, seen before it counts. */
import type { Thing } from '@neuroloom/contract/labelling/things'
import { newId } from '../journal/ids.ts'
import type { Bench } from './bench.ts'
import { placed } from './looking.ts'
import { KEEP } from './part.ts'
import { propose, segmentsIn } from './proposal.ts'
import { framesOf, thingsBetween } from './tracks.ts'

/** The chosen things, here too, as the same ones. */
export function continued(bench: Bench): boolean {
  const pane = bench.at?.pane ?? bench.panes[0]
  const { things } = bench.journal.marks
  if (!pane || !bench.isWritable) return false
  const { axis, slice } = pane.plane
  const chosen = bench.desk
    .getState()
    .selected.flatMap((id) => things.get(id) ?? [])
    .filter(({ place, track }) => {
      const isHere = (other: Thing) => other.track === track && other.place.slice === slice
      return place.axis === axis && place.slice !== slice && !(track && [...things.values()].some(isHere))
    })
  if (chosen.length === 0) return false
  const made: string[] = []
  bench.journal.stroke('continue', () => {
    for (const before of chosen) {
      const track = before.track ?? before.id
      if (before.track === null)
        bench.journal.make({ do: 'thing', before, after: { ...before, track, isLast: false } })
      const after = { ...before, id: newId(), track, place: { axis, slice }, isLast: false }
      bench.journal.make({ do: 'thing', before: null, after })
      made.push(after.id)
    }
  })
  bench.select(made)
  return true
}

/** Proposes the chosen things on the slices between those on which they were drawn. */
export function tweened(bench: Bench): boolean {
  const { things } = bench.journal.marks
  const chosen = bench.desk.getState().selected.flatMap((id) => things.get(id) ?? [])
  const tracks = new Map(chosen.map((thing) => [thing.track ?? thing.id, thing]))
  const found = [...tracks.values()].flatMap((thing) =>
    thingsBetween(framesOf(thing, things.values()), newId),
  )
  return propose(bench, { tool: 'between', parts: [], things: found })
}

/** Proposes the pixels of the slice before, where nothing is marked here. */
export function copied(bench: Bench): boolean {
  const pane = bench.at?.pane ?? bench.panes[0]
  if (!pane || !bench.isWritable || pane.plane.slice === 0) return false
  const { width, height } = pane.plane
  const part = placed(pane, { left: 0, top: 0, right: width, bottom: height })
  const here = segmentsIn(bench, pane.plane, part)
  const before = segmentsIn(bench, { ...pane.plane, slice: pane.plane.slice - 1 }, part)
  const values = before.map((segment, at) => (segment !== 0 && here[at] === 0 ? segment : KEEP))
  const isAny = values.some((value) => value !== KEEP)
  return propose(bench, { tool: 'copy', parts: isAny ? [{ ...part, values }] : [] })
}
