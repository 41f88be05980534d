/** One picture after the other, as a film: which one comes next, and how fast. Pure. */
export const ways = ['round', 'back'] as const
/** `round`: from the last to the first; `back`: there and back. */
export type Way = (typeof ways)[number]

export type Reel = { index: number; isForth: boolean }

export function nextOf({ index, isForth }: Reel, count: number, way: Way): Reel {
  if (count < 2) return { index: 0, isForth: true }
  if (way === 'round') return { index: (index + 1) % count, isForth: true }
  const isTurned = isForth ? index >= count - 1 : index <= 0
  const isOn = isTurned ? !isForth : isForth
  return { index: index + (isOn ? 1 : -1), isForth: isOn }
}

/** Pictures a second; what is slower than one is no film. */
const usualRates = [1, 2, 5, 10, 15, 25, 50]
const USUAL = 10
const FASTEST = 60

/** The file's own among the usual ones, and which is chosen first. */
export function ratesOf(frameSeconds: number | null): { rates: number[]; first: number } {
  const own = frameSeconds === null ? null : Math.round(10 / frameSeconds) / 10
  if (own === null || own < 1 || own > FASTEST) return { rates: usualRates, first: USUAL }
  return { rates: [...new Set([...usualRates, own])].sort((a, b) => a - b), first: own }
}
