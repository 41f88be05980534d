/** Of many files some that are shown, and those that would fail, by reason. Pure. */
import type { PrepareReason } from '@neuroloom/contract/recipes/recipe'

/** Files named for a reason. */
const NAMED = 3

/** Evenly over the list, others with each turn. */
export function spread<T>(list: readonly T[], count: number, turn: number): T[] {
  if (list.length <= count) return [...list]
  const step = list.length / count
  const places = Array.from({ length: count }, (_, index) => Math.floor(index * step + turn) % list.length)
  return [...new Set(places)].flatMap((place) => list[place] ?? [])
}

type Failing = { reason: PrepareReason; count: number; names: string[] }

/** The most frequent first. */
export function byReason(all: Iterable<{ path: string; reason: PrepareReason | null }>): Failing[] {
  const reasons = new Map<string, Failing>()
  for (const { path, reason } of all) {
    if (!reason) continue
    const one = reasons.get(reason.name) ?? { reason, count: 0, names: [] }
    one.count += 1
    if (one.names.length < NAMED) one.names.push(path)
    reasons.set(reason.name, one)
  }
  return [...reasons.values()].sort((one, other) => other.count - one.count)
}
