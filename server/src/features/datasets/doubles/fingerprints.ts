/**
 * Finds fingerprints that differ in few bits, without comparing each with each. Where hashes differ in fewer than 32 of
 * 256 bits, one of 16 parts of 16 bits differs in one at most: only what has such a part is compared (multi-index
 * hashing, Norouzi, Punjani and Fleet, "Fast search in Hamming space with multi-index hashing", CVPR 2012). From 32 to 36
 * each part would have to differ in two or more, which one pair in ten thousand does.
 */
import { datasets } from '@neuroloom/contract/limits'
import { makeBreath } from '../../../infra/aside/slices.ts'

/** Numbers of two pictures, and in how many bits of 256 their nearest hashes differ. */
export type Near = { one: number; other: number; distance: number }

const limits = datasets.doubles
const PARTS = 16
const KEYS = 1 << 16
/** Whatever differs in one bit of a part, and itself. */
const FLIPS = [0, ...Array.from({ length: 16 }, (_, bit) => 1 << bit)]
/** Of one picture, the nearest so many are told: of a thousand alike, a million pairs would say no more. */
const MOST_NEAR = 20

type Prints = {
  /** Parts of both hashes, the whole picture's first. */
  whole: Uint16Array
  trimmed: Uint16Array
  /** Whose they are, as numbers in the list given; those without one are left out. */
  owners: number[]
}

/** Near pairs within a list, each once. */
export function nearWithin(fingerprints: readonly (string | null)[]): Promise<Near[]> {
  const prints = toPrints(fingerprints)
  return search(prints, prints, { isSame: true, most: MOST_NEAR })
}

/** For each of one list its nearest of another, where one is near enough. */
export const nearestOf = (
  ones: readonly (string | null)[],
  others: readonly (string | null)[],
): Promise<Near[]> => search(toPrints(ones), toPrints(others), { isSame: false, most: 1 })

function toPrints(fingerprints: readonly (string | null)[]): Prints {
  const owners = [...fingerprints.keys()].filter((index) => fingerprints[index] !== null)
  const partsFrom = (start: number): Uint16Array => {
    const parts = new Uint16Array(owners.length * PARTS)
    owners.forEach((owner, row) => {
      const text = fingerprints[owner] ?? ''
      for (let part = 0; part < PARTS; part += 1) {
        const digit = start + part * 4
        parts[row * PARTS + part] = Number.parseInt(text.slice(digit, digit + 4), 16)
      }
    })
    return parts
  }
  return { whole: partsFrom(0), trimmed: partsFrom(PARTS * 4), owners }
}

type Wish = { isSame: boolean; most: number }

/** In slices of time: requests and leases of the same process do not wait for it. */
async function search(ones: Prints, others: Prints, { isSame, most }: Wish): Promise<Near[]> {
  const [whole, trimmed] = [indexOf(others.whole), indexOf(others.trimmed)]
  const found: Near[] = []
  const breathe = makeBreath()
  for (const [row, one] of ones.owners.entries()) {
    const near = new Map<number, number>()
    const note = (column: number, distance: number): void => {
      if (!isSame || column > row) near.set(column, Math.min(distance, near.get(column) ?? distance))
    }
    lookUp(ones.whole, row, whole, note)
    lookUp(ones.whole, row, trimmed, note)
    lookUp(ones.trimmed, row, whole, note)
    const nearest = [...near].sort(([a, far], [b, farther]) => far - farther || a - b).slice(0, most)
    for (const [column, distance] of nearest) found.push({ one, other: others.owners[column] ?? 0, distance })
    await breathe()
  }
  return found
}

/** Rows by the value of each part: those of value `v` are `rows[starts[v]]` to before `rows[starts[v + 1]]`. */
type Index = {
  parts: Uint16Array
  byPart: { starts: Uint32Array; rows: Uint32Array }[]
  /** Which row was compared for which question, so that none is twice. */
  seen: { by: Int32Array; question: number }
}

function indexOf(parts: Uint16Array): Index {
  const count = parts.length / PARTS
  const byPart = Array.from({ length: PARTS }, (_, part) => {
    const starts = new Uint32Array(KEYS + 1)
    for (let row = 0; row < count; row += 1) add(starts, (parts[row * PARTS + part] ?? 0) + 1, 1)
    for (let key = 0; key < KEYS; key += 1) add(starts, key + 1, starts[key] ?? 0)
    const next = starts.slice()
    const rows = new Uint32Array(count)
    for (let row = 0; row < count; row += 1) {
      const key = parts[row * PARTS + part] ?? 0
      rows[next[key] ?? 0] = row
      add(next, key, 1)
    }
    return { starts, rows }
  })
  return { parts, byPart, seen: { by: new Int32Array(count), question: 0 } }
}

function add(list: Uint32Array, at: number, more: number): void {
  list[at] = (list[at] ?? 0) + more
}

function lookUp(
  hashes: Uint16Array,
  row: number,
  { parts, byPart, seen }: Index,
  note: (row: number, distance: number) => void,
): void {
  seen.question += 1
  for (const [part, { starts, rows }] of byPart.entries()) {
    const value = hashes[row * PARTS + part] ?? 0
    for (const flip of FLIPS) {
      const key = value ^ flip
      const end = starts[key + 1] ?? 0
      for (let at = starts[key] ?? 0; at < end; at += 1) {
        const candidate = rows[at] ?? 0
        if (seen.by[candidate] === seen.question) continue
        seen.by[candidate] = seen.question
        const distance = differing(hashes, row * PARTS, parts, candidate * PARTS)
        if (distance <= limits.distance) note(candidate, distance)
      }
    }
  }
}

/** Bits; stops counting beyond the limit. */
function differing(ones: Uint16Array, one: number, others: Uint16Array, other: number): number {
  let bits = 0
  for (let part = 0; part < PARTS && bits <= limits.distance; part += 1) {
    bits += ONES[(ones[one + part] ?? 0) ^ (others[other + part] ?? 0)] ?? 0
  }
  return bits
}

/** Ones in each number of 16 bits. */
const ONES = new Uint8Array(KEYS).map((_, value) => value.toString(2).replaceAll('0', '').length)
