/** Of numbers in order, between neighbours in proportion, as NumPy and R do; NaN of none. */
export function quantile(sorted: readonly number[], share: number): number {
  const place = (sorted.length - 1) * share
  const low = sorted[Math.floor(place)] ?? Number.NaN
  const high = sorted[Math.ceil(place)] ?? Number.NaN
  return low + (high - low) * (place - Math.floor(place))
}
