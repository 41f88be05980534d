/** Which items a split must never separate: those of one patient, of the same bytes, and those that look almost the same. */
import { datasets } from '@neuroloom/contract/limits'
import type { Near } from './fingerprints.ts'

const limits = datasets.doubles

export type Grouped = {
  /** Of each item: the key of its group, equal for all of it, and made of the keys alone. */
  keys: string[]
  /** Pairs by which groups grew together. */
  bound: Near[]
  /** Pairs that stay in two groups, because one of both would hold a large part of the data. */
  loose: Near[]
}

/**
 * `keys` are those of patients and bytes. The nearest pairs bind first: a chain of pictures each like the next, as of a
 * video, breaks where its links are weakest.
 */
export function groupUp(keys: readonly string[], near: readonly Near[]): Grouped {
  const groups = makeGroups(keys)
  const most = mostTogether(keys.length)
  const bound: Near[] = []
  const loose: Near[] = []
  for (const pair of [...near].sort(byDistance)) {
    const answer = groups.join(pair.one, pair.other, most)
    if (answer === 'joined') bound.push(pair)
    if (answer === 'too_large') loose.push(pair)
  }
  return { keys: keys.map((_, index) => groups.keyOf(index)), bound, loose }
}

const byDistance = (left: Near, right: Near): number =>
  left.distance - right.distance || left.one - right.one || left.other - right.other

/** A tenth, more of few; so that at least three groups are left to split. */
export const mostTogether = (items: number): number =>
  Math.floor(Math.min(items * limits.most, Math.max(limits.few, items * limits.share)))

function makeGroups(keys: readonly string[]) {
  const parents = keys.map((_, index) => index)
  const sizes = keys.map(() => 1)
  const names = [...keys]
  const firsts = new Map<string, number>()

  function rootOf(index: number): number {
    let root = index
    while (parents[root] !== root) root = parents[root] ?? root
    // Whoever asks next has a short way.
    for (let at = index; at !== root; ) {
      const next = parents[at] ?? root
      parents[at] = root
      at = next
    }
    return root
  }

  function join(one: number, other: number, most: number): 'joined' | 'known' | 'too_large' {
    const [left, right] = [rootOf(one), rootOf(other)]
    if (left === right) return 'known'
    const size = (sizes[left] ?? 1) + (sizes[right] ?? 1)
    if (size > most) return 'too_large'
    parents[right] = left
    sizes[left] = size
    const [name = '', otherName = ''] = [names[left], names[right]]
    names[left] = name < otherName ? name : otherName
    return 'joined'
  }

  keys.forEach((key, index) => {
    const first = firsts.get(key)
    if (first === undefined) firsts.set(key, index)
    else join(first, index, Number.POSITIVE_INFINITY)
  })
  return { join, keyOf: (index: number): string => names[rootOf(index)] ?? '' }
}
