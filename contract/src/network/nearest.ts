/** Finds the name that somebody probably meant; it must stay cheap, because it runs on every keystroke. */

/** The candidate at the smallest edit distance, or null when none is near enough to be a likely slip. */
export function nearestName(name: string, candidates: Iterable<string>): string | null {
  let best: string | null = null
  let bestDistance = Math.max(2, Math.floor(name.length / 3)) + 1
  const own = lettersOf(name)
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - name.length) >= bestDistance) continue
    // Each letter that the other lacks costs an edit of its own.
    const other = lettersOf(candidate)
    if (Math.max(countOf(own & ~other), countOf(other & ~own)) >= bestDistance) continue
    const distance = editDistance(name, candidate, bestDistance)
    if (distance < bestDistance && distance < Math.max(name.length, candidate.length)) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

/** The letters that occur, a bit each; where two share a bit, fewer seem to be missing, never more. */
function lettersOf(name: string): number {
  let letters = 0
  for (let at = 0; at < name.length; at += 1) letters |= 1 << (name.charCodeAt(at) & 31)
  return letters
}

function countOf(bits: number): number {
  let count = 0
  for (let left = bits; left !== 0; left &= left - 1) count += 1
  return count
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
