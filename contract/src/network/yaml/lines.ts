/** Finds the entries of a YAML text's block maps by their lines, and parses values one entry at a time; knows no network. */
import * as yaml from 'yaml'
import { findRefused, parseOptions, toPlain } from './yaml.ts'

/** One `key: value` of a block map, as places in the text. */
export interface Entry {
  key: string
  /** Of the key's text, quotes included. */
  keyFrom: number
  keyTo: number
  /** Start of the comment lines that stand directly above it. */
  lead: number
  /** Start of its first line, and the end of its last line that is more than a comment. */
  from: number
  to: number
  column: number
}

/** The entries of the block map in this stretch of lines; null when it is something else (a flow map, a text, a list). */
export function entriesIn(text: string, from: number, to: number): Entry[] | null {
  const found: Entry[] = []
  let lead: number | null = null
  for (let start = from; start < to; ) {
    const end = endOfLine(text, start)
    const line = text.slice(start, Math.min(end, to))
    const indent = indentOf(line)
    const last = found.at(-1)
    const rest = line.slice(indent).trimEnd()
    const isInside = last !== undefined && indent > last.column
    if (isInside && (isContent(rest) || isBlockText(text, last))) last.to = end
    else if (rest.startsWith('#') && (last === undefined || indent === last.column)) lead ??= start
    else if (isContent(rest)) {
      const entry = entryAt(text, { start, end, column: indent, lead })
      if (entry === null || (last !== undefined && last.column !== indent)) return null
      found.push(entry)
    }
    if (!rest.startsWith('#')) lead = null
    start = end
  }
  return found.length === 0 ? null : aligned(found, text)
}

/** Behind a byte order mark and the line that may open a document. */
export function contentStart(text: string): number {
  return /^\uFEFF?(?:(?:[ \t]*#.*)?\r?\n)*---[ \t]*(?:#.*)?\r?\n|^\uFEFF?/.exec(text)?.[0].length ?? 0
}

/** Where the lines below the key begin. */
function belowKey(text: string, entry: Entry): number {
  return endOfLine(text, entry.keyTo)
}

/** The block map that the entry's value is, or null. */
export function innerEntries(text: string, entry: Entry): Entry[] | null {
  const below = belowKey(text, entry)
  const colon = text.indexOf(':', entry.keyTo)
  const beside = text.slice(colon + 1, below).trim()
  return isContent(beside) ? null : entriesIn(text, below, entry.to)
}

/** Texts of entries read before: an editor asks again and again for a thousand lines of which one is new. */
const known = new Map<string, { plain: unknown } | null>()
const mostKnown = 10_000

/** The value of one entry as plain data; null when its lines alone are no YAML. */
export function plainOf(text: string, entry: Entry): { plain: unknown } | null {
  const lines = text.slice(entry.from, entry.to)
  const before = known.get(lines)
  if (before !== undefined) return before
  const node = parseEntry(lines)
  const read = node === null ? null : { plain: toPlain(node) }
  if (known.size >= mostKnown) known.clear()
  known.set(lines, read)
  return read
}

/** The value's node, with places counted from the entry's first line. */
export function parseEntry(lines: string): yaml.Node | null {
  const map = parseNode(lines)
  if (!yaml.isMap(map) || map.items.length !== 1) return null
  const value = map.items[0]?.value
  return yaml.isNode(value) ? value : null
}

export function parseNode(text: string): yaml.Node | null {
  const tree = yaml.parseDocument(text, parseOptions)
  return tree.errors.length > 0 || findRefused(tree) !== null ? null : tree.contents
}

const keyPattern = /([A-Za-z_][\w-]*|"[^"\\\n]*"|'[^'\n]*')[ \t]*:(?=[ \t\r\n]|$)/y

function entryAt(
  text: string,
  { start, end, column, lead }: { start: number; end: number; column: number; lead: number | null },
): Entry | null {
  keyPattern.lastIndex = start + column
  const written = keyPattern.exec(text)?.[1]
  if (written === undefined) return null
  const keyFrom = start + column
  const key = /^["']/.test(written) ? written.slice(1, -1) : written
  return {
    key,
    keyFrom,
    keyTo: keyFrom + written.length,
    lead: lead ?? start,
    from: start,
    to: end,
    column,
  }
}

/** A comment above the first entry is known to be its own only once the entry's column is known. */
function aligned(entries: Entry[], text: string): Entry[] {
  const [first] = entries
  if (first === undefined) return entries
  const lead = text.slice(first.lead, first.from)
  const isOwn = lead.split('\n').every((line) => line === '' || indentOf(line) === first.column)
  return isOwn ? entries : [{ ...first, lead: first.from }, ...entries.slice(1)]
}

/** A `|` or `>` text holds every deeper line, also those that look like comments. */
function isBlockText(text: string, entry: Entry): boolean {
  const colon = text.indexOf(':', entry.keyTo)
  return /^[ \t]*[|>]/.test(text.slice(colon + 1, endOfLine(text, colon)))
}

function isContent(trimmed: string): boolean {
  return trimmed !== '' && !trimmed.startsWith('#')
}

function indentOf(line: string): number {
  let k = 0
  while (line[k] === ' ') k += 1
  return k
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end + 1
}
