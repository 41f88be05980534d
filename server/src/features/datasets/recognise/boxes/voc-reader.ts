/** One Pascal VOC text. Knows nothing of folders; takes nothing from outside the text, and no entities of its own. */
import { datasets as limits } from '@neuroloom/contract/limits'
import sax from 'sax'
import { around, type Point, rectangle } from './outlines.ts'

export type VocObject = {
  name: string
  x0: number
  y0: number
  x1: number
  y1: number
  /** Not from pixels that are counted, but from corners between them: of outlines and turned boxes. */
  isExact?: true
  border?: Point[]
}
type VocText = {
  fileName: string
  size: { width: number; height: number } | null
  objects: VocObject[]
}

const corners = { xmin: 'x0', ymin: 'y0', xmax: 'x1', ymax: 'y1' } as const
/** Tags within tags; VOC needs four. */
const DEPTH = 30

/** `numbers`: what stands below an outline or a turned box, by its name. */
type Open = { name: string; line: number; numbers: Map<string, number> } & Partial<VocObject>

/** The line of the first thing that is wrong, where something is. */
export function readVoc(text: string): VocText | { line: number } {
  const found: VocText = { fileName: '', size: null, objects: [] }
  const size = { width: 0, height: 0 }
  const path: string[] = []
  let object: Open | null = null
  let words = ''
  let wrong: number | null = null
  // Entities that a text defines itself are unknown to this parser, and an unknown one is an error.
  const parser = sax.parser(true)
  const refuse = (): void => {
    wrong ??= parser.line + 1
  }
  parser.onerror = refuse
  parser.onopentag = ({ name }) => {
    path.push(name)
    words = ''
    if (path.length > DEPTH || (path.length === 1 && name !== 'annotation')) refuse()
    if (path.join('/') === 'annotation/object')
      object = { name: '', line: parser.line + 1, numbers: new Map() }
  }
  parser.ontext = (piece) => {
    words += piece
  }
  parser.onclosetag = () => {
    const place = path.join('/')
    const said = words.trim()
    words = ''
    if (place === 'annotation/filename') found.fileName = said
    else if (place === 'annotation/size/width') size.width = Number(said)
    else if (place === 'annotation/size/height') size.height = Number(said)
    else if (object) noteIn(object, place, said)
    if (place === 'annotation/object' && object) {
      const whole = wholeOf(object)
      if (whole && found.objects.length < limits.boxes) found.objects.push(whole)
      else wrong ??= object.line
      object = null
    }
    path.pop()
  }
  for (let at = 0; at < text.length && wrong === null; at += CHUNK) parser.write(text.slice(at, at + CHUNK))
  if (wrong === null) parser.close()
  if (wrong !== null) return { line: wrong }
  // Some programs write 0 where they do not know.
  return { ...found, size: size.width > 0 && size.height > 0 ? size : null }
}

/** So much is read before it is seen whether something was wrong. */
const CHUNK = 8192

function noteIn(object: Open, place: string, said: string): void {
  if (place === 'annotation/object/name') object.name = said.normalize('NFC')
  const tag = place.replace('annotation/object/bndbox/', '')
  const number = said === '' ? Number.NaN : Number(said)
  if (isCorner(tag)) object[corners[tag]] = number
  const [, kind, key] = /^annotation\/object\/(polygon|robndbox)\/([a-z]+\d*)$/.exec(place) ?? []
  if (kind !== undefined && object.numbers.size < MOST_NUMBERS) object.numbers.set(`${kind} ${key}`, number)
}

/** Of one outline: two for each corner. */
const MOST_NUMBERS = 20_000

const isCorner = (tag: string): tag is keyof typeof corners => tag in corners

/** The box that is written; where there is none, the one round the outline or the turned box. */
function wholeOf({ name, x0, y0, x1, y1, numbers }: Open): VocObject | null {
  if (name === '') return null
  const border = borderOf(numbers)
  if (border === 'broken') return null
  if (x0 !== undefined && y0 !== undefined && x1 !== undefined && y1 !== undefined) {
    const isWhole = [x0, y0, x1, y1].every(Number.isFinite)
    return isWhole ? { name, x0, y0, x1, y1, ...(border ? { border } : {}) } : null
  }
  if (border) return { name, ...around(border), isExact: true, border }
  const turned = ['cx', 'cy', 'w', 'h', 'angle'].map((key) => numbers.get(`robndbox ${key}`))
  const [x = 0, y = 0, width = 0, height = 0, angle = 0] = turned
  if (!turned.every((one) => one !== undefined && Number.isFinite(one))) return null
  const degrees = (angle * 180) / Math.PI
  const corners = rectangle({ x, y, across: width / 2, down: height / 2, degrees })
  return { name, ...around(corners), isExact: true }
}

/** `x1 y1 x2 y2 …`; null without any. */
function borderOf(numbers: ReadonlyMap<string, number>): Point[] | 'broken' | null {
  const points: Point[] = []
  for (let corner = 1; ; corner += 1) {
    const [x, y] = ['x', 'y'].map((axis) => numbers.get(`polygon ${axis}${corner}`))
    if (x === undefined && y === undefined) break
    if (x === undefined || y === undefined || !Number.isFinite(x) || !Number.isFinite(y)) return 'broken'
    points.push([x, y])
  }
  const isAll = points.length * 2 === [...numbers.keys()].filter((key) => key.startsWith('polygon')).length
  if (points.length === 0 && isAll) return null
  return isAll && points.length > 2 ? points : 'broken'
}
