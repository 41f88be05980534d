/** Counts what marks have, so that what a format cannot say is told by name before it is written. */
import type { LabelClass } from '@neuroloom/contract/labelling/classes'
import {
  type Feature,
  features,
  type LabelFormat,
  type Loss,
  lossesOf,
} from '@neuroloom/contract/labelling/exchange'
import { countSegments } from '@neuroloom/contract/labelling/pixels'
import type { Thing } from '@neuroloom/contract/labelling/things'
import { flat } from './flat.ts'
import { boundsOf } from './geometry.ts'
import type { LabelledImage } from './shapes.ts'

export type Survey = Record<Feature, number>

// Every feature begins at nothing.
export const nothing = (): Survey => Object.fromEntries(features.map((feature) => [feature, 0])) as Survey

/** Adds the marks of one image. */
export function survey(
  found: Survey,
  image: Pick<LabelledImage, 'marks' | 'size'>,
  { classes, isPlaced }: { classes: readonly LabelClass[]; isPlaced: boolean },
): void {
  const ignore = new Set(classes.filter(({ use }) => use === 'ignore').map(({ id }) => id))
  const { marks, size } = image
  found.tags += marks.tags.length
  for (const thing of marks.things.values()) surveyThing(found, thing, { size, ignore })
  const counts = countSegments(marks.pixels)
  const known = new Set<string>()
  for (const { number, class: owner } of marks.segments.values()) {
    if (!counts.has(number)) continue
    found.pixels += 1
    if (known.has(owner)) found.instances += 1
    if (ignore.has(owner)) found.ignored += 1
    known.add(owner)
  }
  found.overlaps += flat(image).covered
  if (size[2] > 1) found.slices += 1
  if (!isPlaced) found.unplaced += 1
}

const kinds = { outline: 'outlines', line: 'lines', points: 'points' } as const

function surveyThing(
  found: Survey,
  { shape, place, track, attributes, class: owner }: Thing,
  { size: [width, height], ignore }: { size: LabelledImage['size']; ignore: ReadonlySet<string> },
): void {
  if (shape.kind === 'box') found[shape.angle === 0 ? 'boxes' : 'turned'] += 1
  else if (shape.kind === 'outline' && shape.rings.length > 1) found.parts += 1
  else found[kinds[shape.kind]] += 1
  if (place.axis !== 2) found.planes += 1
  if (track !== null) found.tracks += 1
  if (Object.keys(attributes).length > 0) found.attributes += 1
  if (ignore.has(owner)) found.ignored += 1
  const { x0, y0, x1, y1 } = boundsOf(shape)
  if (place.axis === 2 && (x0 < 0 || y0 < 0 || x1 > width || y1 > height)) found.outside += 1
}

/** What the format loses of what is there. */
export const lossesFor = (format: LabelFormat, found: Survey): Loss[] =>
  features.flatMap((feature) => {
    const becomes = lossesOf[format][feature]
    return becomes === undefined || found[feature] === 0 ? [] : [{ feature, becomes, count: found[feature] }]
  })
