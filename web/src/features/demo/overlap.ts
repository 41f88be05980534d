/** Dice overlap of what was found with what is there: 1 is the same, 0 is nothing in common. The engine's formula. */
export function overlapOf(found: ArrayLike<number>, truth: ArrayLike<number>, level = 0.5): number {
  let [both, sum] = [0, 0]
  for (let index = 0; index < truth.length; index++) {
    const [isFound, isTrue] = [(found[index] ?? 0) > level, (truth[index] ?? 0) > 0.5]
    if (isFound && isTrue) both++
    sum += Number(isFound) + Number(isTrue)
  }
  return sum === 0 ? 1 : (2 * both) / sum
}
