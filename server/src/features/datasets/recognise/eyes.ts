/**
 * The two eyes of one person: `Image_09L` and `Image_09R`, `10_left`, `12_OD`. They are joined only where both sides of
 * the same number are there for a clear share: a letter behind a number may mean anything.
 */
import type { Span } from './patient-schemes.ts'
import { segmentsOf } from './patient-schemes.ts'

const leftWords = 'left|os|lt|лев(?:ый|ая|ое)?|左眼?|左侧'
const rightWords = 'right|od|rt|прав(?:ый|ая|ое)?|右眼?|右侧'
/** Behind a number, also glued to it; then a number or the direction of a mammogram. */
const behind = new RegExp(
  `^(.*\\d)[-_ .]?(?:(l|л|${leftWords})|(r|п|${rightWords}))(?:[-_ .](?:\\d{1,3}|cc|mlo|eye|глаз|眼))*$`,
  'diu',
)
/** Before a number: whole words, not letters. */
const before = new RegExp(`^(?:(${leftWords})|(${rightWords}))[-_ .]?(\\d+)$`, 'diu')

/** At least so many pairs, and so large a share of all numbers that have a side. */
const FEWEST_PAIRS = 2
const CLEAR_SHARE = 0.3

type Eye = Span & { side: 'left' | 'right'; stem: string }

/** The person of each name; all null unless they come in pairs. */
export function eyesOf(names: readonly string[]): { spans: (Span | null)[]; pairs: number } {
  const eyes = names.map(eyeOf)
  const stems = eyes.flatMap((eye) => eye?.stem ?? [])
  // Where counting begins anew in each folder, equal numbers are of different persons.
  const isPerFolder = new Set(stems).size < stems.length
  const spans = eyes.map((eye) => {
    if (eye === null) return null
    const folder = eye.example.slice(0, eye.example.lastIndexOf('/') + 1)
    return isPerFolder ? { ...eye, key: `${folder.toLowerCase()}${eye.key}` } : eye
  })
  const sides = new Map<string, Set<Eye['side']>>()
  for (const eye of spans) {
    if (eye) sides.set(eye.key, (sides.get(eye.key) ?? new Set()).add(eye.side))
  }
  const pairs = [...sides.values()].filter(({ size }) => size === 2).length
  const isClear = pairs >= FEWEST_PAIRS && pairs >= sides.size * CLEAR_SHARE
  return isClear ? { spans, pairs } : { spans: names.map(() => null), pairs: 0 }
}

function eyeOf(path: string): Eye | null {
  const file = segmentsOf(path).at(-1)
  const stem = file?.text ?? ''
  const found = behind.exec(stem)
  const first = found ? null : before.exec(stem)
  const place = found?.indices?.[1] ?? first?.indices?.[3]
  if (!place || !file) return null
  const [from, to] = place
  const isLeft = found ? found[2] !== undefined : first?.[1] !== undefined
  return {
    example: path,
    from: file.at + from,
    to: file.at + to,
    key: stem.slice(from, to).normalize('NFC').toLowerCase(),
    side: isLeft ? 'left' : 'right',
    stem: stem.toLowerCase(),
  }
}
