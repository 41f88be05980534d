/** The keys of a YAML text with their places, one level at a time; a text that is half typed gives what can be seen. */
import * as yaml from 'yaml'
import { contentStart, type Entry, entriesIn, innerEntries, parseEntry, parseNode, plainOf } from './lines.ts'
import { refusedAtOnce, toPlain } from './yaml.ts'

export interface Spot {
  key: string
  /** Where its own comments begin; then the key; then the end of the value. */
  lead: number
  from: number
  to: number
  below: () => Spot[]
  /** The value as data; undefined when it cannot be read. */
  plain: () => unknown
}

/** Asked about one text many times over: each mistake of a list, each move of the cursor. */
let last: { text: string; spots: Spot[] } = { text: '', spots: [] }

export function spotsOf(text: string): Spot[] {
  if (last.text !== text) last = { text, spots: readSpots(text) }
  return last.spots
}

function readSpots(text: string): Spot[] {
  if (refusedAtOnce(text) !== null) return []
  const entries = entriesIn(text, contentStart(text), text.length)
  if (entries !== null) return entries.map((entry) => lineSpot(text, entry))
  return text.trimStart().startsWith('{') ? pairSpots(parseNode(text), 0) : []
}

function lineSpot(text: string, entry: Entry): Spot {
  return {
    key: entry.key,
    lead: entry.lead,
    from: entry.keyFrom,
    to: entry.to,
    below: once(() => {
      const inner = innerEntries(text, entry)
      if (inner !== null) return inner.map((below) => lineSpot(text, below))
      return pairSpots(parseEntry(text.slice(entry.from, entry.to)), entry.from)
    }),
    plain: () => plainOf(text, entry)?.plain,
  }
}

function pairSpots(map: unknown, base: number): Spot[] {
  if (!yaml.isMap(map)) return []
  return map.items.flatMap(({ key, value }) => {
    const [from, keyTo] = rangeOf(key)
    const [, to] = yaml.isNode(value) ? rangeOf(value) : [0, keyTo]
    if (!yaml.isScalar(key)) return []
    return {
      key: String(key.value),
      lead: base + from,
      from: base + from,
      to: base + to,
      below: once(() => pairSpots(value, base)),
      plain: () => toPlain(value),
    }
  })
}

function once(work: () => Spot[]): () => Spot[] {
  let done: Spot[] | null = null
  return () => {
    done ??= work()
    return done
  }
}

function rangeOf(node: unknown): [number, number] {
  const range = yaml.isNode(node) ? node.range : null
  return [range?.[0] ?? 0, range?.[1] ?? 0]
}
