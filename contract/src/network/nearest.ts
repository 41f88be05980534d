/** Finds the name that somebody probably meant; it must stay cheap, because it runs on every keystroke. */

/** The candidate at the smallest edit distance, or null when none is near enough to be a likely slip. */
export function nearestName(name: string, candidates: Iterable<string>): string | null {
  let best: string | null = null
  let bestDistance = Math.max(2, Math.floor(name.length / 3)) + 1
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - name.length) >= bestDistance) continue
    const distance = editDistance(name, candidate, bestDistance)
    if (distance < bestDistance && distance < Math.max(name.length, candidate.length)) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

/**
 * Insertions, deletions, replacements and swaps of neighbours (`widht` for `width` is one slip, not two). Gives up with
 * `limit` as soon as it cannot come out below.
 */
function editDistance(a: string, b: string, limit: number): number {
  let before: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j)
  let leastBefore = 0
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    let leastHere = i
    for (let j = 1; j <= b.length; j += 1) {
      const replace = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      let least = Math.min((previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, replace)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        least = Math.min(least, (before[j - 2] ?? 0) + 1)
      }
      row.push(least)
      leastHere = Math.min(leastHere, least)
    }
    if (leastHere >= limit && leastBefore >= limit) return limit
    leastBefore = leastHere
    before = previous
    previous = row
  }
  return previous[b.length] ?? 0
}
