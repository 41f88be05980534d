/** Joins blobs that follow one another like the letters of a line. */
import type { Blob } from './blobs.ts'

export type Line = { x: number; y: number; w: number; h: number; blobs: Blob[] }

/** Of the taller of two: as far apart as words are in letters of one width. */
const GAP = 1.1
/** Parts of one character stand above one another, as in 二. */
const STACK = 0.25
/** Of a part of a character: curves and frames are wider. */
const WIDE = 40

export function linesOf(blobs: readonly Blob[], height: number): Line[] {
  const sorted = [...blobs].sort((a, b) => a.x - b.x)
  const parents = sorted.map((_, index) => index)
  const root = (index: number): number => {
    let at = index
    while (parents[at] !== at) at = parents[at] ?? at
    parents[index] = at
    return at
  }
  const rows = byRows(sorted, height)
  for (const [index, blob] of sorted.entries()) {
    const far = blob.h * GAP + blob.w
    for (let row = rowOf(blob.y) - 1; row <= rowOf(blob.y + blob.h) + 1; row += 1) {
      for (const other of laterIn(rows[row] ?? [], index)) {
        const next = sorted[other]
        if (!next || next.x - blob.x > Math.max(far, MOST_GAP + blob.w)) break
        if (follow(blob, next)) parents[root(other)] = root(index)
      }
    }
  }
  const groups = new Map<number, Blob[]>()
  for (const [index, blob] of sorted.entries()) {
    const at = root(index)
    const group = groups.get(at)
    if (group) group.push(blob)
    else groups.set(at, [blob])
  }
  return [...groups.values()].map(lineOf)
}

const ROW = 16
/** No gap is wider: letters are no taller than that allows. */
const MOST_GAP = 72
const rowOf = (y: number): number => Math.floor(Math.max(y, 0) / ROW)

/** Numbers of the blobs that touch each strip, in their order. */
function byRows(blobs: readonly Blob[], height: number): number[][] {
  const rows: number[][] = Array.from({ length: rowOf(height) + 2 }, () => [])
  for (const [index, { y, h }] of blobs.entries()) {
    for (let row = rowOf(y); row <= rowOf(y + h); row += 1) rows[row]?.push(index)
  }
  return rows
}

function* laterIn(row: readonly number[], index: number): Iterable<number> {
  let [low, high] = [0, row.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((row[middle] ?? 0) <= index) low = middle + 1
    else high = middle
  }
  for (let at = low; at < row.length; at += 1) yield row[at] ?? 0
}

/** `next` begins further right, or at the same place. */
function follow(blob: Blob, next: Blob): boolean {
  const apart = next.x - (blob.x + blob.w)
  const [low, high] = [Math.max(blob.y, next.y), Math.min(blob.y + blob.h, next.y + next.h)]
  const shared = high - low
  const tall = Math.max(blob.h, next.h)
  if (apart <= tall * GAP && shared >= 0.4 * Math.min(blob.h, next.h)) {
    // A dash, a point or a stroke of a character, or a letter of about the same size.
    return Math.min(blob.h, next.h) * 3 >= tall || apart <= tall * 0.5
  }
  const wide = Math.max(blob.w, next.w)
  return apart < 0 && wide <= WIDE && shared < 0 && shared >= -Math.max(STACK * wide, 2)
}

export function lineOf(blobs: Blob[]): Line {
  const x = Math.min(...blobs.map((one) => one.x))
  const y = Math.min(...blobs.map((one) => one.y))
  const right = Math.max(...blobs.map((one) => one.x + one.w))
  const bottom = Math.max(...blobs.map((one) => one.y + one.h))
  return { x, y, w: right - x, h: bottom - y, blobs }
}
