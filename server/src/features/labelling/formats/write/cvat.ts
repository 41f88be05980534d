/** CVAT XML 1.1: all images in one file, or each video in a file of its own, where things are tracks through its frames. */
import type { LabelClass } from '@neuroloom/contract/labelling/classes'
import type { Thing } from '@neuroloom/contract/labelling/things'
import { cropOf, extentsOf } from '../segments.ts'
import { type LabelledImage, type LabelledSet, type Piece, text } from '../shapes.ts'
import { escapeXml } from '../xml.ts'
import { labelsXml, maskXml, thingXml } from './cvat-xml.ts'

export async function* writeCvat({ name, classes, images }: LabelledSet): AsyncIterable<Piece> {
  const path = 'annotations.xml'
  const known = new Map(classes.map((one) => [one.id, one]))
  yield text(path, headOf(name, classes, { mode: 'annotation', size: null }))
  let number = 0
  for await (const image of images) {
    const [width, height, slices] = image.size
    if (slices > 1) continue
    const own = `id="${number}" name="${escapeXml(image.name)}" width="${width}" height="${height}"`
    yield text(path, `<image ${own}>\n${[...shapesIn(image, known)].join('')}</image>\n`)
    number += 1
  }
  yield text(path, '</annotations>\n')
}

type Known = ReadonlyMap<string, LabelClass>

function headOf(
  name: string,
  classes: readonly LabelClass[],
  { mode, size }: { mode: string; size: number | null },
): string {
  const frames = size === null ? '' : `<size>${size}</size>`
  const task = `<name>${escapeXml(name)}</name>${frames}<mode>${mode}</mode>`
  return (
    '<?xml version="1.0" encoding="utf-8"?>\n<annotations>\n<version>1.1</version>\n' +
    `<meta><task>${task}<labels>\n${labelsXml(classes)}</labels></task></meta>\n`
  )
}

const labelOf = (known: Known, id: string): string =>
  `label="${escapeXml(known.get(id)?.name ?? '')}" source="manual"`

function* shapesIn({ marks, size }: LabelledImage, known: Known): Iterable<string> {
  for (const id of marks.tags) yield `<tag ${labelOf(known, id)}></tag>\n`
  for (const thing of marks.things.values()) {
    const skeleton = known.get(thing.class)?.skeleton ?? null
    const xml = thingXml(thing, { before: labelOf(known, thing.class), size, skeleton })
    if (xml) yield xml
  }
  for (const extent of extentsOf(marks.pixels)) {
    const owner = marks.segments.get(extent.number)?.class
    if (owner !== undefined)
      yield maskXml(cropOf(marks.pixels, extent), `${labelOf(known, owner)} occluded="0"`)
  }
}

export async function* writeCvatVideo({ classes, images }: LabelledSet): AsyncIterable<Piece> {
  const known = new Map(classes.map((one) => [one.id, one]))
  for await (const image of images) {
    const path = `${image.stem}.xml`
    yield text(path, headOf(image.name, classes, { mode: 'interpolation', size: image.size[2] }))
    let number = 0
    for (const track of [...thingTracks(image, known), ...maskTracks(image)]) {
      const own = `id="${number}" ${labelOf(known, track.owner)}`
      yield text(path, `<track ${own}>\n${track.shapes.join('')}</track>\n`)
      number += 1
    }
    yield text(path, '</annotations>\n')
  }
}

type Track = { owner: string; shapes: string[] }

/** Things of one track in the order of their frames; each other thing is a track of one frame. */
function* thingTracks({ marks, size }: LabelledImage, known: Known): Iterable<Track> {
  const tracks = new Map<string, Thing[]>()
  for (const thing of marks.things.values()) {
    if (thing.place.axis !== 2) continue
    const key = thing.track === null ? `thing ${thing.id}` : `track ${thing.track} ${thing.class}`
    tracks.set(key, [...(tracks.get(key) ?? []), thing])
  }
  for (const things of tracks.values()) {
    const [first] = things.sort((a, b) => a.place.slice - b.place.slice)
    if (!first) continue
    const skeleton = known.get(first.class)?.skeleton ?? null
    const xml = (thing: Thing, state: string): string =>
      thingXml(thing, { before: state, size, skeleton }) ?? ''
    const shapes = things.flatMap((thing) => {
      const { slice } = thing.place
      const isEnd = (thing.isLast || thing.track === null) && slice + 1 < size[2]
      return [xml(thing, frame(slice, false)), ...(isEnd ? [xml(thing, frame(slice + 1, true))] : [])]
    })
    yield { owner: first.class, shapes }
  }
}

/** A segment through all of its frames; it is outside in those between. */
function* maskTracks({ marks, size }: LabelledImage): Iterable<Track> {
  const tracks = new Map<number, Track & { next: number; last: string }>()
  for (const extent of extentsOf(marks.pixels)) {
    const owner = marks.segments.get(extent.number)?.class
    if (owner === undefined) continue
    const { slice } = extent
    const track = tracks.get(extent.number) ?? { owner, shapes: [], next: slice, last: '' }
    tracks.set(extent.number, track)
    const crop = cropOf(marks.pixels, extent)
    if (track.next < slice) track.shapes.push(track.last)
    track.shapes.push(maskXml(crop, `${frame(slice, false)} occluded="0"`))
    track.last = maskXml(crop, `${frame(slice + 1, true)} occluded="0"`)
    track.next = slice + 1
  }
  for (const { owner, shapes, next, last } of tracks.values())
    yield { owner, shapes: next < size[2] ? [...shapes, last] : shapes }
}

const frame = (number: number, isOutside: boolean): string =>
  `frame="${number}" keyframe="1" outside="${isOutside ? 1 : 0}"`
