/** Places in a text as an editor of text counts them. Pure. */
import type { Diagnostic } from '@codemirror/lint'
import type { Text } from '@codemirror/state'

/** Lines and columns count from 1. */
export interface Mark {
  line: number
  column: number | null
  endLine: number
  severity: 'error' | 'warning'
  message: string
}

/** Marks beyond the end of the text lie at its end. */
export function toDiagnostics(doc: Text, marks: readonly Mark[]): Diagnostic[] {
  return marks
    .map(({ line, column, endLine, severity, message }) => {
      const first = doc.line(Math.min(Math.max(line, 1), doc.lines))
      const last = doc.line(Math.min(Math.max(endLine, first.number), doc.lines))
      const indent = first.text.length - first.text.trimStart().length
      const from = Math.min(first.from + (column === null ? indent : column - 1), first.to)
      return { from, to: Math.max(from, last.to), severity, message }
    })
    .sort((a, b) => a.from - b.from)
}

/** The one stretch in which two texts differ; null where they are the same. The cursor outside of it stays. */
export function changeBetween(
  before: string,
  after: string,
): { from: number; to: number; insert: string } | null {
  if (before === after) return null
  const most = Math.min(before.length, after.length)
  let from = 0
  while (from < most && before[from] === after[from]) from += 1
  let tail = 0
  while (tail < most - from && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail += 1
  return { from, to: before.length - tail, insert: after.slice(from, after.length - tail) }
}
