/** Pascal VOC: boxes of an XML an image, and the masks of classes and things that lie beside them. */
import { labelExchange } from '@neuroloom/contract/limits'
import { baseOf, isTextName } from '../../../datasets/service.ts'
import type { Found, Target } from '../shapes.ts'
import { visitXml } from '../xml.ts'
import { attributesOf, sizes } from './coco.ts'
import type { From } from './from.ts'
import { type Gathered, gather } from './gather.ts'
import { readVocMasks } from './voc-masks.ts'

type VocObject = {
  name: string
  corners: number[]
  said: Record<string, string | number | boolean>
  line: number
}
type VocText = { fileName: string; imagePath: string; size: [number, number]; objects: VocObject[] }

export async function* readVoc(from: From): AsyncIterable<Found> {
  const texts = from.paths.filter((path) => isTextName(path, ['xml']))
  const read: { path: string; text: VocText }[] = []
  for (const path of texts) {
    const text = await from.read(path, labelExchange.textBytes)
    if (text !== null && !/<annotation[\s>]/.test(text.slice(0, 2000))) continue
    const found = text === null ? 0 : readText(text)
    if (typeof found === 'number')
      yield { kind: 'problem', path, reason: 'file_unreadable', params: { line: found } }
    else read.push({ path, text: found })
  }
  // VOC counts pixels from 1 and includes the last; programs that only borrow the form count from 0, which then occurs.
  const all = read.flatMap(({ text }) => text.objects)
  const first = all.some(({ corners: [x0 = 0, y0 = 0] }) => x0 < 1 || y0 < 1) ? 0 : 1
  const seen = new Set<string>()
  const gathered = new Map<string, Gathered>()
  for (const { path, text } of read) {
    const stem = baseOf(path).slice(0, -'.xml'.length)
    const target =
      from.find(path.replace(/^.*?(^|\/)annotations\//i, '').slice(0, -'.xml'.length)) ??
      from.find(stem) ??
      from.find(text.fileName) ??
      from.find(text.imagePath)
    if (!target)
      yield { kind: 'problem', path, reason: 'image_missing', params: { name: text.fileName || stem } }
    else if (seen.has(target.name))
      yield { kind: 'problem', path, reason: 'duplicate_entry', params: { name: target.name } }
    else if (isOther(text.size, target))
      yield { kind: 'problem', path, reason: 'size_differs', params: sizes(target, text.size) }
    else {
      seen.add(target.name)
      const one = gather(path, target)
      for (const [index, object] of text.objects.entries()) add(one, object, { first, number: index + 1 })
      gathered.set(target.name, one)
    }
  }
  yield* readVocMasks(from, gathered)
  for (const one of gathered.values()) yield* one.found()
}

/** Some programs write 0 where they do not know. */
const isOther = ([width, height]: VocText['size'], { size }: Target): boolean =>
  width > 0 && height > 0 && (width !== size[0] || height !== size[1])

const corners = ['xmin', 'ymin', 'xmax', 'ymax']
const flags = ['truncated', 'difficult', 'occluded']

/** The line of the first thing that is wrong, where something is. */
function readText(text: string): VocText | number {
  const found: VocText = { fileName: '', imagePath: '', size: [0, 0], objects: [] }
  const wrong = visitXml(text, {
    open({ path, line }) {
      if (path.join('/') === 'annotation/object')
        found.objects.push({ name: '', corners: [], said: {}, line })
    },
    close({ path }, said) {
      const place = path.join('/')
      const object = found.objects.at(-1)
      if (place === 'annotation/filename') found.fileName = said
      else if (place === 'annotation/path') found.imagePath = said
      else if (place === 'annotation/size/width') found.size[0] = Number(said)
      else if (place === 'annotation/size/height') found.size[1] = Number(said)
      else if (object) note(object, place, said)
    },
  })
  return wrong ?? found
}

function note(object: VocObject, place: string, said: string): void {
  const tag = place.replace('annotation/object/', '')
  if (tag === 'name') object.name = said.normalize('NFC')
  else if (tag === 'pose' && said !== '' && !/^unspecified$/i.test(said)) object.said.pose = said
  else if (flags.includes(tag) && Number(said) === 1) object.said[tag] = true
  const corner = corners.indexOf(tag.replace('bndbox/', ''))
  if (tag.startsWith('bndbox/') && corner >= 0)
    object.corners[corner] = said === '' ? Number.NaN : Number(said)
}

function add(
  gathered: Gathered,
  {
    name,
    corners: [x0 = Number.NaN, y0 = Number.NaN, x1 = Number.NaN, y1 = Number.NaN],
    said,
    line,
  }: VocObject,
  { first, number }: { first: number; number: number },
): void {
  const at = { line, number }
  if (name === '' || ![x0, y0, x1, y1].every(Number.isFinite)) {
    gathered.refuse('unreadable', at)
    return
  }
  const [x, y] = [x0 - first, y0 - first]
  const box = { x, y, width: x1 - x, height: y1 - y }
  gathered.thing({ kind: 'box', ...box, angle: 0 }, { class: name, at, attributes: attributesOf(said) })
}
