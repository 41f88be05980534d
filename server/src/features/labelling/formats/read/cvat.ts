/** CVAT XML 1.1: of images, and of videos with tracks. */
import { labelExchange } from '@neuroloom/contract/limits'
import { isTextName } from '../../../datasets/service.ts'
import type { Found, FoundClass, Target } from '../shapes.ts'
import { type Tag, visitXml } from '../xml.ts'
import { type CvatShape, shapeOf } from './cvat-shapes.ts'
import type { From } from './from.ts'
import { type Gathered, gather } from './gather.ts'

type Track = { id: string; label: string; shapes: { frame: number; isOutside: boolean; shape: CvatShape }[] }

export async function* readCvat(from: From): AsyncIterable<Found> {
  const seen = new Set<string>()
  const classes = new Map<string, FoundClass>()
  for (const path of from.paths.filter((one) => isTextName(one, ['xml'])).slice(0, MOST_FILES)) {
    const text = await from.read(path, labelExchange.listBytes)
    if (text === null) {
      yield { kind: 'problem', path, reason: 'file_unreadable', params: { line: 0 } }
      continue
    }
    if (!/<annotations[\s>]/.test(text.slice(0, 2000))) continue
    yield* readText(from, { path, text, seen, classes })
  }
  for (const found of classes.values()) yield { kind: 'class', class: found }
}

/** Each video has one. */
const MOST_FILES = 20_000

type Source = { path: string; text: string; seen: Set<string>; classes: Map<string, FoundClass> }

function* readText(from: From, { path, text, seen, classes }: Source): Iterable<Found> {
  const problems: Found[] = []
  const images: Gathered[] = []
  const tracks: Track[] = []
  const reading = {
    image: null as Gathered | null,
    track: null as Track | null,
    open: null as CvatShape | null,
    number: 0,
  }
  const labels = labelReader()
  const begin = (tag: Tag): void => {
    const [, second] = tag.path
    const depth = tag.path.length
    labels.open(tag)
    if (depth === 2 && tag.name === 'image') {
      reading.number = 0
      reading.image = startImage(from, { path, tag, seen, problems })
      if (reading.image) images.push(reading.image)
    } else if (depth === 2 && tag.name === 'track') {
      reading.track = { id: tag.own.id ?? '', label: (tag.own.label ?? '').normalize('NFC'), shapes: [] }
      tracks.push(reading.track)
    } else if (depth === 3 && (second === 'image' || second === 'track') && tag.name !== 'attribute') {
      reading.number += 1
      const label = (tag.own.label ?? reading.track?.label ?? '').normalize('NFC')
      reading.open = {
        tag: tag.name,
        own: tag.own,
        label,
        attributes: {},
        parts: [],
        name: '',
        at: { line: tag.line, number: reading.number },
      }
    } else if (reading.open && tag.name === 'attribute') reading.open.name = tag.own.name ?? ''
    else if (reading.open && tag.name === 'points' && depth === 4) reading.open.parts.push(tag.own)
  }
  const end = ({ name, path: open }: Omit<Tag, 'own'>, said: string): void => {
    labels.close(open, said)
    if (name === 'attribute' && reading.open && open.length >= 4)
      reading.open.attributes[reading.open.name] = said
    if (open.length === 3 && reading.open && name === reading.open.tag) {
      const shape = reading.open
      reading.open = null
      if (open[1] === 'track' && reading.track) {
        // Between frames that somebody set, CVAT tells where a thing would be.
        const isSet = shape.own.keyframe !== '0' || shape.own.outside === '1'
        const frame = Number(shape.own.frame)
        if (isSet) reading.track.shapes.push({ frame, isOutside: shape.own.outside === '1', shape })
      } else if (reading.image) add(reading.image, shape, { slice: 0 })
    }
    if (name === 'image' && open.length === 2) reading.image = null
  }
  const wrong = visitXml(text, { open: begin, close: end })
  for (const found of labels.classes()) classes.set(found.name, found)
  if (wrong !== null) {
    yield { kind: 'problem', path, reason: 'file_unreadable', params: { line: wrong } }
    return
  }
  yield* problems
  for (const image of images) yield* image.found()
  if (tracks.length > 0) yield* readTracks(from, { path, tracks, seen, title: labels.title() })
}

type Starting = { path: string; tag: Tag; seen: Set<string>; problems: Found[] }

function startImage(from: From, { path, tag: { own, line }, seen, problems }: Starting): Gathered | null {
  const { name = '', width, height } = own
  const target = from.find(name)
  if (!target) problems.push({ kind: 'problem', path, reason: 'image_missing', params: { name, line } })
  else if (seen.has(target.name))
    problems.push({ kind: 'problem', path, reason: 'duplicate_entry', params: { name, line } })
  else if (isOther(target, [Number(width), Number(height)]))
    problems.push({
      ...{ kind: 'problem', path, reason: 'size_differs' },
      params: {
        ...{ name: target.name, width: target.size[0], height: target.size[1] },
        ...{ maskWidth: Number(width), maskHeight: Number(height) },
      },
    })
  else {
    seen.add(target.name)
    return gather(path, target)
  }
  return null
}

const isOther = ({ size }: Target, [width = 0, height = 0]: readonly number[]): boolean =>
  width > 0 && height > 0 && (width !== size[0] || height !== size[1])

type Where = { slice: number; track?: string | null; isLast?: boolean; segment?: number }

/** The number of the segment, of a mask. */
function add(gathered: Gathered, shape: CvatShape, where: Where): number | null {
  const { label, at } = shape
  if (label === '') gathered.refuse('unreadable', at)
  else if (shape.tag === 'tag') gathered.tag(label)
  else {
    const read = shapeOf(shape)
    if (typeof read === 'string') gathered.refuse(read, { ...at, kind: shape.tag.slice(0, 40) })
    else {
      const about = { class: label, at, attributes: read.attributes, ...where }
      if ('mask' in read) return gathered.mask(read.mask, about, where.segment)
      gathered.thing(read.shape, about)
    }
  }
  return null
}

type Tracks = { path: string; tracks: Track[]; seen: Set<string>; title: string }

/** The video is called as the file is, or as the task. */
function* readTracks(from: From, { path, tracks, seen, title }: Tracks): Iterable<Found> {
  const target = from.find(path.slice(0, -'.xml'.length)) ?? from.find(title)
  if (!target) yield { kind: 'problem', path, reason: 'image_missing', params: { name: title || path } }
  else if (seen.has(target.name))
    yield { kind: 'problem', path, reason: 'duplicate_entry', params: { name: title } }
  else {
    seen.add(target.name)
    const gathered = gather(path, target)
    for (const track of tracks) addTrack(gathered, track)
    yield* gathered.found()
  }
}

function addTrack(gathered: Gathered, { id, shapes }: Track): void {
  const frames = gathered.target.size[2]
  const shown = shapes.filter(({ isOutside }) => !isOutside)
  const [only] = shown
  const ends = new Set(shapes.flatMap(({ frame, isOutside }) => (isOutside ? [frame] : [])))
  // Something that is in one frame alone is no track.
  const isSingle =
    shown.length === 1 && only !== undefined && (ends.has(only.frame + 1) || only.frame + 1 >= frames)
  let segment: number | undefined
  for (const { frame, shape } of shown) {
    const isLast = !isSingle && ends.has(frame + 1)
    const track = isSingle ? null : `t${id}`.slice(0, 24)
    const number = add(gathered, shape, {
      slice: frame,
      track,
      isLast,
      ...(segment === undefined ? {} : { segment }),
    })
    segment ??= number ?? undefined
  }
}

/** Labels with colours and skeletons, from the head of the file. */
function labelReader() {
  type Label = { name: string; colour: string; svg: string; parent: string }
  const labels: Label[] = []
  let title = ''
  let isOpen = false
  return {
    open({ name, path }: Tag): void {
      if (path[1] === 'meta' && name === 'label') {
        isOpen = true
        labels.push({ name: '', colour: '', svg: '', parent: '' })
      }
    },
    close(path: readonly string[], said: string): void {
      const [inside, name] = path.slice(-2)
      const label = labels.at(-1)
      if (path[1] === 'meta' && path.length === 4 && name === 'name' && inside !== 'label') title = said
      if (!isOpen || !label || inside !== 'label') return
      if (name === 'name') label.name = said.normalize('NFC')
      if (name === 'color') label.colour = said.toLowerCase()
      if (name === 'svg') label.svg = said
      if (name === 'parent') label.parent = said.normalize('NFC')
    },
    title: () => title,
    classes: (): FoundClass[] =>
      labels
        .filter(({ parent, name }) => parent === '' && name !== '')
        .map(({ name, colour, svg }) => {
          const points = labels.filter(({ parent }) => parent === name).map((one) => one.name)
          const joins = [...svg.matchAll(/data-node-from="(\d+)" data-node-to="(\d+)"/g)].map(
            ([, one, other]): [number, number] => [Number(one) - 1, Number(other) - 1],
          )
          const kept = joins.filter(
            ([a, b]) => a >= 0 && b >= 0 && a < points.length && b < points.length && a !== b,
          )
          const skeleton = points.length > 0 ? { points, joins: kept } : null
          return { name, use: 'class', colour: /^#[0-9a-f]{6}$/.test(colour) ? colour : null, skeleton }
        }),
  }
}
