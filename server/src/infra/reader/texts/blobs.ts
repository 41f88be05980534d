/** Connected places of a plane above a threshold, with what tells strokes from tissue. */
import type { Plane } from './planes.ts'

export type Blob = {
  x: number
  y: number
  w: number
  h: number
  area: number
  /** Pieces of rows: a letter's rows are cut by its strokes. */
  runs: number
  /** How steeply it rises from what lies beside it, of 255, as a mean over the ends of its rows. */
  rise: number
  /** Its brightest place. */
  peak: number
}

export type Sizes = { least: number; most: number; widest: number }

/** Rows are cut into runs; runs that touch, corners included, are one blob (union–find). */
export function blobsOf(plane: Plane, threshold: number, sizes: Sizes): Blob[] {
  const { values, width, height } = plane
  const labels = new Labels()
  // Start, end and label of each run of the row above, and of this one.
  let above = new Int32Array(3 * (width + 1))
  let own = new Int32Array(3 * (width + 1))
  let aboveLength = 0
  for (let y = 0; y < height; y += 1) {
    const row = y * width
    let length = 0
    let next = 0
    for (let x = 0; x < width; x += 1) {
      if ((values[row + x] ?? 0) < threshold) continue
      const start = x
      let peak = 0
      for (; x < width; x += 1) {
        const value = values[row + x] ?? 0
        if (value < threshold) break
        if (value > peak) peak = value
      }
      while (next < aboveLength && (above[next + 1] ?? 0) < start) next += 3
      let label = -1
      for (let other = next; other < aboveLength && (above[other] ?? 0) <= x; other += 3) {
        const touching = above[other + 2] ?? 0
        label = label === -1 ? labels.root(touching) : labels.join(label, touching)
      }
      if (label === -1) label = labels.open(start, y)
      labels.add(label, start, x, y)
      labels.addLooks(label, riseAt(values, { row, start, end: x, width }), peak)
      own[length] = start
      own[length + 1] = x
      own[length + 2] = label
      length += 3
    }
    const swap = above
    above = own
    own = swap
    aboveLength = length
  }
  return labels.blobs(sizes)
}

type Run = { row: number; start: number; end: number; width: number }

/** From two places outside to the second place inside, at both ends: edges are drawn smooth over a place or two. */
function riseAt(values: Uint8Array, { row, start, end, width }: Run): number {
  const first = values[row + Math.min(start + 1, end - 1)] ?? 0
  const last = values[row + Math.max(end - 2, start)] ?? 0
  const before = start >= 2 ? (values[row + start - 2] ?? 0) : first
  const after = end + 1 < width ? (values[row + end + 1] ?? 0) : last
  return first - before + last - after
}

/** Least x, greatest x, least y, greatest y, area, runs, rise, peak. */
const FIELDS = 8

class Labels {
  private count = 0
  private parents = new Int32Array(1024)
  private facts = new Int32Array(1024 * FIELDS)

  root(label: number): number {
    let at = label
    for (;;) {
      const parent = this.parents[at] ?? at
      if (parent === at) return at
      const grand = this.parents[parent] ?? parent
      this.parents[at] = grand
      at = grand
    }
  }

  open(x: number, y: number): number {
    const label = this.count
    this.count += 1
    if (label >= this.parents.length) this.grow()
    this.parents[label] = label
    this.facts.set([x, x, y, y, 0, 0, 0, 0], label * FIELDS)
    return label
  }

  private grow(): void {
    const { parents, facts } = this
    this.parents = new Int32Array(parents.length * 2)
    this.parents.set(parents)
    this.facts = new Int32Array(facts.length * 2)
    this.facts.set(facts)
  }

  join(a: number, b: number): number {
    const [one, other] = [this.root(a), this.root(b)]
    if (one === other) return one
    this.parents[other] = one
    const { facts } = this
    const [to, from] = [one * FIELDS, other * FIELDS]
    for (let field = 0; field < FIELDS; field += 1) {
      const [mine, theirs] = [facts[to + field] ?? 0, facts[from + field] ?? 0]
      if (field === 0 || field === 2) facts[to + field] = Math.min(mine, theirs)
      else if (field === 1 || field === 3 || field === 7) facts[to + field] = Math.max(mine, theirs)
      else facts[to + field] = mine + theirs
    }
    return one
  }

  add(label: number, start: number, end: number, y: number): void {
    const { facts } = this
    const at = label * FIELDS
    if (start < (facts[at] ?? 0)) facts[at] = start
    if (end - 1 > (facts[at + 1] ?? 0)) facts[at + 1] = end - 1
    facts[at + 3] = y
    facts[at + 4] = (facts[at + 4] ?? 0) + end - start
    facts[at + 5] = (facts[at + 5] ?? 0) + 1
  }

  addLooks(label: number, rise: number, peak: number): void {
    const { facts } = this
    const at = label * FIELDS
    facts[at + 6] = (facts[at + 6] ?? 0) + rise
    if (peak > (facts[at + 7] ?? 0)) facts[at + 7] = peak
  }

  blobs({ least, most, widest }: Sizes): Blob[] {
    const { facts, parents } = this
    const blobs: Blob[] = []
    for (let label = 0; label < this.count; label += 1) {
      if (parents[label] !== label) continue
      const at = label * FIELDS
      const [x = 0, right = 0, y = 0, bottom = 0] = facts.subarray(at, at + 4)
      const [w, h] = [right - x + 1, bottom - y + 1]
      const area = facts[at + 4] ?? 0
      if (area < least || h > most || w > widest) continue
      const runs = facts[at + 5] ?? 1
      const rise = (facts[at + 6] ?? 0) / (2 * runs)
      blobs.push({ x, y, w, h, area, runs, rise, peak: facts[at + 7] ?? 0 })
    }
    return blobs
  }
}
