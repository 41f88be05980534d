/** Reads a network's text as entries with their places, and writes changed entries back into it. */
import type { Json } from '../document/canonical.ts'
import { isRecord } from '../resolve/schema-map.ts'
import { flowText, isFlow, patchValue, spanOf } from './flow.ts'
import { contentStart, type Entry, entriesIn, innerEntries, parseEntry, parseNode, plainOf } from './lines.ts'
import { documentShape, type Item, type Shape, type Target, targetData } from './merge.ts'
import { refusedAtOnce, toPlain } from './yaml.ts'

interface Part {
  entry: Entry
  plain: unknown
  /** Entries below it, where it is a block map whose entries have names. */
  inner: Part[] | null
}

/** `parts` is null for a text that is one flow map, such as JSON. */
export function readText(text: string): { plain: unknown; parts: Part[] | null } | null {
  if (refusedAtOnce(text) !== null) return null
  const entries = entriesIn(text, contentStart(text), text.length)
  if (entries !== null) {
    const parts = partsOf(text, entries, documentShape)
    return parts === null ? null : { plain: recordOf(parts), parts }
  }
  const node = text.trimStart().startsWith('{') ? parseNode(text) : null
  return node === null ? null : { plain: toPlain(node), parts: null }
}

export function applyTo(text: string, { parts }: { parts: Part[] | null }, target: Target): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  if (parts !== null && target.kind === 'map') {
    const [start, end] = [parts[0]?.entry.lead ?? 0, parts.at(-1)?.entry.to ?? text.length]
    return (
      text.slice(0, start) + patchLines({ text, eol }, parts, target.items, documentShape) + text.slice(end)
    )
  }
  const node = parseNode(text)
  if (node === null) return text
  const [from, to] = spanOf(node)
  return text.slice(0, from) + patchValue(text, node, target) + text.slice(to)
}

function partsOf(text: string, entries: readonly Entry[], shape: Shape): Part[] | null {
  const parts: Part[] = []
  for (const entry of entries) {
    const child = shape.child(entry.key)
    const below = child === null ? null : innerEntries(text, entry)
    if (below === null || child === null) {
      const read = plainOf(text, entry)
      if (read === null) return null
      parts.push({ entry, plain: read.plain, inner: null })
    } else {
      const inner = partsOf(text, below, child)
      if (inner === null) return null
      parts.push({ entry, plain: recordOf(inner), inner })
    }
  }
  return new Set(parts.map(({ entry }) => entry.key)).size === parts.length ? parts : null
}

function recordOf(parts: readonly Part[]): Record<string, unknown> {
  const record: Record<string, unknown> = Object.create(null)
  for (const { entry, plain } of parts) record[entry.key] = plain
  return record
}

interface Source {
  text: string
  eol: string
}

/** The lines from the first entry to the last, after the change. */
function patchLines(source: Source, parts: readonly Part[], items: readonly Item[], shape: Shape): string {
  const { text, eol } = source
  const column = parts[0]?.entry.column ?? 0
  const stays = new Set(items.map(({ from }) => from))
  const places = new Map(parts.map(({ entry }, k) => [entry.key, k]))
  let lines = ''
  let gap = ''
  for (const item of items) {
    const k = item.from === null ? undefined : places.get(item.from)
    const part = k === undefined ? undefined : parts[k]
    const child = shape.child(item.key)
    if (k === undefined || part === undefined) {
      lines += newLines(item.key, targetJson(item.target), { column, eol, shape: child })
      continue
    }
    const patched = patchEntry(source, part, item, child)
    lines += gap + (patched.endsWith('\n') ? patched : patched + eol)
    gap = gapsAfter(text, parts, k, stays)
  }
  return lines + gap
}

/** Blank lines and loose comments below an entry; those below removed entries that follow come along if they say something. */
function gapsAfter(
  text: string,
  parts: readonly Part[],
  k: number,
  stays: ReadonlySet<string | null>,
): string {
  const gapOf = (at: number) =>
    text.slice(parts[at]?.entry.to ?? 0, parts[at + 1]?.entry.lead ?? parts[at]?.entry.to)
  let gap = gapOf(k)
  let next = k + 1
  for (; next < parts.length && !stays.has(parts[next]?.entry.key ?? null); next += 1) {
    if (gapOf(next).includes('#')) gap += gapOf(next)
  }
  return next >= parts.length && gap.trim() === '' ? '' : gap
}

function patchEntry(source: Source, part: Part, item: Item, shape: Shape | null): string {
  const { text, eol } = source
  const { entry, inner } = part
  const { key, target } = item
  if (target.kind === 'keep' && key === entry.key) return text.slice(entry.lead, entry.to)
  const head =
    text.slice(entry.lead, entry.keyFrom) +
    (key === entry.key ? text.slice(entry.keyFrom, entry.keyTo) : flowText(key))
  if (target.kind === 'keep') return head + text.slice(entry.keyTo, entry.to)
  if (target.kind === 'map' && inner !== null && shape !== null && target.items.length > 0) {
    const start = inner[0]?.entry.lead ?? entry.to
    return head + text.slice(entry.keyTo, start) + patchLines(source, inner, target.items, shape)
  }
  const lines = text.slice(entry.from, entry.to)
  const node = parseEntry(lines)
  const [from, to] = node === null ? [0, 0] : spanOf(node)
  const isEmpty = isRecord(part.plain) && Object.keys(part.plain).length === 0
  if (
    node === null ||
    (lines.slice(from, to).includes('\n') && !isFlow(node)) ||
    (isEmpty && shape?.isLong === true)
  ) {
    const written = newLines(key, targetJson(target), { column: entry.column, eol, shape })
    return text.slice(entry.lead, entry.from) + written
  }
  const offset = entry.keyTo - entry.from
  return head + lines.slice(offset, from) + patchValue(lines, node, target) + lines.slice(to)
}

/** An entry that is new: one line, or one line for each entry below it. */
function newLines(
  key: string,
  value: Json,
  { column, eol, shape }: { column: number; eol: string; shape: Shape | null },
): string {
  const head = `${' '.repeat(column)}${flowText(key)}:`
  const entries = isRecord(value) ? Object.entries(value) : []
  if (shape?.isLong !== true || entries.length === 0) return `${head} ${flowText(value)}${eol}`
  const lines = entries.map(([name, inner]) =>
    newLines(name, inner, { column: column + 2, eol, shape: shape.child(name) }),
  )
  return head + eol + lines.join('')
}

function targetJson(target: Target): Json {
  // Canonical forms, and texts that were read as a document: JSON both.
  return targetData(target) as Json
}
