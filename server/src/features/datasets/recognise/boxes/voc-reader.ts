/** One Pascal VOC text. Knows nothing of folders; takes nothing from outside the text, and no entities of its own. */
import { datasets as limits } from '@neuroloom/contract/limits'
import sax from 'sax'

export type VocObject = { name: string; x0: number; y0: number; x1: number; y1: number }
type VocText = {
  fileName: string
  size: { width: number; height: number } | null
  objects: VocObject[]
}

const corners = { xmin: 'x0', ymin: 'y0', xmax: 'x1', ymax: 'y1' } as const
/** Tags within tags; VOC needs four. */
const DEPTH = 30

type Open = { name: string; line: number } & Partial<VocObject>

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
    if (path.join('/') === 'annotation/object') object = { name: '', line: parser.line + 1 }
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
  if (isCorner(tag)) object[corners[tag]] = said === '' ? Number.NaN : Number(said)
}

const isCorner = (tag: string): tag is keyof typeof corners => tag in corners

function wholeOf({ name, x0, y0, x1, y1 }: Open): VocObject | null {
  if (name === '' || x0 === undefined || y0 === undefined || x1 === undefined || y1 === undefined) return null
  return [x0, y0, x1, y1].every(Number.isFinite) ? { name, x0, y0, x1, y1 } : null
}
