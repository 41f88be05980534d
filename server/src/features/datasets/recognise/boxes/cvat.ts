/** Boxes as CVAT writes them ("CVAT for images 1.1"): one XML for all images, also outlines, of which the box is taken. */
import { datasets as limits } from '@neuroloom/contract/limits'
import sax from 'sax'
import { type FindImage, imageFinder, lackOf } from '../find-image.ts'
import { baseOf, isTextName, partOf } from '../folder-names.ts'
import type { Boxed, BoxedItem, Folder, NoLayout, Outline, ToldBox } from '../shapes.ts'
import { boxedOf, emptyGathered, type Gathered } from './gathered.ts'
import { around, ellipse, type Point, rectangle, type Wanted } from './outlines.ts'
import { saysNothingNew, setAside } from './set-aside.ts'

/** Tags within tags; CVAT needs six. */
const DEPTH = 30
/** So much is read before it is seen whether something was wrong. */
const CHUNK = 65_536

/** Of boxes, how far above others they lie, wherever they are written. */
type Layered = Gathered & { orders: Map<ToldBox, number> }

/** Null when no XML is such a list. */
export async function cvatBoxes(
  folder: Folder,
  images: readonly string[],
  wanted: Wanted = {},
): Promise<Boxed | NoLayout | null> {
  const gathered: Layered = { ...emptyGathered(wanted), orders: new Map() }
  const find = imageFinder(images)
  let isAny = false
  for (const path of folder.paths.filter((one) => isTextName(one, ['xml'])).slice(0, limits.tables)) {
    const text = await folder.read(path, limits.tableBytes)
    if (text === null || !/<annotations[\s>]/.test(text.slice(0, 2000))) continue
    isAny = true
    const line = readAll(gathered, { path, text, find })
    if (line !== null) gathered.problems.push({ path, reason: 'annotation_unreadable', params: { line } })
  }
  if (!isAny) return null
  setAside(gathered)
  if (gathered.items.size > 0) return boxedOf(gathered, 'cvat', images)
  return { layout: null, failure: 'nothing_matches', problems: gathered.problems }
}

type Source = { path: string; text: string; find: FindImage }

/** The line of the first thing that is wrong, after which nothing counts; else null. */
function readAll(gathered: Layered, { path, text, find }: Source): number | null {
  // Entities that a text defines itself are unknown to this parser, and an unknown one is an error.
  const parser = sax.parser(true)
  let [depth, wrong, number]: [number, number | null, number] = [0, null, 0]
  let item: BoxedItem | null = null
  const read: BoxedItem[] = []
  const refuse = (): void => {
    wrong ??= parser.line + 1
  }
  parser.onerror = refuse
  parser.onopentag = ({ name, attributes }) => {
    depth += 1
    // What moves from picture to picture is a film, whose pictures are not here.
    if (depth > DEPTH || name === 'track') return refuse()
    // Without namespaces the library gives attributes as texts.
    const own = attributes as Record<string, string>
    if (name === 'image' && depth === 2) {
      number = 0
      item = startImage(gathered, { path, find, own, line: parser.line + 1 })
      if (item) read.push(item)
    } else if (depth === 3 && shapes.has(name)) {
      number += 1
      if (item && !addShape(gathered, item, { name, own, number })) {
        const line = parser.line + 1
        gathered.problems.push(
          flat.has(name)
            ? { path, reason: 'shape_without_area', params: { shape: name, line } }
            : { path, reason: 'annotation_unreadable', params: { line } },
        )
        // Without one of its boxes an image would teach that there is nothing.
        gathered.spoilt.add(item.path)
      }
    }
  }
  parser.onclosetag = (name) => {
    depth -= 1
    if (name !== 'image' || depth !== 1) return
    if (gathered.withOutlines)
      item?.boxes.sort((one, other) => (gathered.orders.get(one) ?? 0) - (gathered.orders.get(other) ?? 0))
    const known = item ? gathered.items.get(item.path) : undefined
    // What a second entry says beyond the first one is not taken.
    if (item && known !== item && !saysNothingNew(known?.boxes ?? [], item.boxes))
      gathered.spoilt.add(item.path)
    item = null
  }
  for (let at = 0; at < text.length && wrong === null; at += CHUNK) parser.write(text.slice(at, at + CHUNK))
  if (wrong === null) parser.close()
  if (wrong !== null) for (const { path: image } of read) gathered.spoilt.add(image)
  return wrong
}

type Opened = { path: string; find: FindImage; own: Record<string, string>; line: number }

function startImage({ items, problems }: Gathered, { path, find, own, line }: Opened): BoxedItem | null {
  const { name = '', width, height, subset = '' } = own
  const image = find(name)
  if (image === null) problems.push({ path, reason: lackOf(name, find), params: { name, line } })
  else {
    const isAgain = items.has(image)
    if (isAgain) problems.push({ path, reason: 'duplicate_entry', params: { name, line } })
    const size = { width: Number(width), height: Number(height) }
    const item: BoxedItem = {
      ...{ path: image, source: path, part: partOf(subset) ?? partInName(path), unit: 'pixels', boxes: [] },
      size: size.width > 0 && size.height > 0 ? size : null,
    }
    if (!isAgain) items.set(image, item)
    return item
  }
  return null
}

const partInName = (path: string): BoxedItem['part'] =>
  baseOf(path)
    .split(/[\s_.-]+/)
    .map(partOf)
    .find((part) => part !== null) ?? null

const shapes = new Set(['box', 'polygon', 'ellipse', 'mask', 'polyline', 'points', 'cuboid', 'skeleton'])
/** They are read well, and mark no area. */
const flat: ReadonlySet<string> = new Set(['polyline', 'points', 'skeleton'])

type Shape = { name: string; own: Record<string, string>; number: number }

/** False for what has no area, or cannot be read. */
function addShape(
  { classes, orders, withOutlines }: Layered,
  item: BoxedItem,
  { name, own, number }: Shape,
): boolean {
  const label = (own.label ?? '').normalize('NFC')
  const points = pointsOf(name, own)
  if (label === '' || points === null || item.boxes.length >= limits.boxes) return false
  if (!points.flat().every(Number.isFinite)) return false
  if (!classes.includes(label)) classes.push(label)
  const outline = withOutlines ? outlineOf(name, own, points) : null
  if (outline === 'broken') return false
  const box = { class: classes.indexOf(label), ...around(points), number, ...(outline ? { outline } : {}) }
  item.boxes.push(box)
  orders.set(box, Number(own.z_order ?? 0) || 0)
  return true
}

/** Null of a box, which is drawn round a thing and does not say which pixels belong to it. */
function outlineOf(name: string, own: Record<string, string>, points: Point[]): Outline | 'broken' | null {
  if (name === 'box') return null
  if (name !== 'mask') return points.length < 3 ? 'broken' : { polygons: [[points]] }
  const [left = 0, top = 0, width = 0, height = 0] = ['left', 'top', 'width', 'height'].map((key) =>
    Number(own[key]),
  )
  const counts = (own.rle ?? '').split(',').map((count) => Number(count.trim() === '' ? Number.NaN : count))
  const isWhole = [left, top, width, height, ...counts].every((one) => Number.isInteger(one) && one >= 0)
  const sum = counts.reduce((all, count) => all + count, 0)
  if (!isWhole || sum > width * height) return 'broken'
  return { runs: { counts, along: 'rows', left, top, width, height } }
}

function pointsOf(name: string, own: Record<string, string>): Point[] | null {
  const numbers = (...keys: string[]): number[] => keys.map((key) => Number(own[key] ?? Number.NaN))
  const turn = Number(own.rotation ?? 0)
  if (name === 'box') {
    const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = numbers('xtl', 'ytl', 'xbr', 'ybr')
    if (turn === 0)
      return [
        [x0, y0],
        [x1, y1],
      ]
    const half = { across: (x1 - x0) / 2, down: (y1 - y0) / 2 }
    return rectangle({ x: (x0 + x1) / 2, y: (y0 + y1) / 2, ...half, degrees: turn })
  }
  if (name === 'polygon')
    return (own.points ?? '').split(';').map((point): Point => {
      const [x = Number.NaN, y = Number.NaN] = point.split(',').map(Number)
      return [x, y]
    })
  if (name === 'ellipse') {
    const [x = 0, y = 0, across = 0, down = 0] = numbers('cx', 'cy', 'rx', 'ry')
    return ellipse({ x, y, across, down, degrees: turn })
  }
  if (name !== 'mask') return null
  const [left = 0, top = 0, width = 0, height = 0] = numbers('left', 'top', 'width', 'height')
  return [
    [left, top],
    [left + width, top + height],
  ]
}
