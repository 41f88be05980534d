/** Of one value a frame, some of which may not be known. Pure. */

export type Curve = readonly (number | null)[]

export type Top = { value: number; frame: number }

/** The first one where several are alike; null where nothing is known. */
export function topOf(curve: Curve): Top | null {
  let top: Top | null = null
  for (const [frame, value] of curve.entries()) {
    if (value !== null && (top === null || value > top.value)) top = { value, frame }
  }
  return top
}

/** Null where nothing is known. */
export function meanOf(curve: Curve): number | null {
  const known = curve.filter((value) => value !== null)
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length
}

export const isKnown = (curve: Curve): boolean => curve.some((value) => value !== null)
