/** Values of masks before their meaning is asked: one way of writing them, and one value for what smeared files differ in. */
export type MaskOfSet = {
  id: string
  values: Record<string, number>
  /** The values are what many are smeared from. */
  smeared?: boolean
  /** So many compact things with values of their own. */
  things?: number
}

/** Smeared files of one set settle on values this near to each other. The engine's reach is the same. */
const REACH = 40
/** So many things in one picture are no classes, where other pictures have other numbers of them. */
const MANY_THINGS = 12
const THINGS_SHARE = 0.9

export const isColour = (value: string): boolean => value.startsWith('#')

/** Where some masks are coloured, greys of the others are colours too: an empty mask has black alone. */
export function inColours(masks: readonly MaskOfSet[]): MaskOfSet[] {
  if (!masks.some(({ values }) => Object.keys(values).some(isColour))) return [...masks]
  return masks.map((mask) => ({ ...mask, values: renamed(mask.values, colourOf) }))
}

const colourOf = (value: string): string =>
  isColour(value) ? value : `#${Math.min(255, Number(value)).toString(16).padStart(2, '0').repeat(3)}`

/** What smeared masks hold becomes the value of a clean one, else the most frequent one near to it. */
export function withoutNoise(masks: readonly MaskOfSet[]): MaskOfSet[] {
  const smeared = masks.filter((mask) => mask.smeared === true)
  if (smeared.length === 0) return [...masks]
  const known: number[][] = []
  const names: string[] = []
  const learn = (some: readonly MaskOfSet[]): void => {
    for (const value of byFrequency(some)) {
      const place = placeOf(value)
      if (known.some((one) => isNear(one, place))) continue
      known.push(place)
      names.push(value)
    }
  }
  // Black and white first: whatever is smeared from them is them.
  const ends = smeared.some(({ values }) => Object.keys(values).some(isColour))
    ? ['#000000', '#ffffff']
    : ['0', '255']
  const clean = masks.filter((mask) => mask.smeared !== true)
  for (const mask of clean) Object.keys(mask.values).forEach(add)
  ends.forEach(add)
  learn(smeared)
  function add(value: string): void {
    if (names.includes(value)) return
    names.push(value)
    known.push(placeOf(value))
  }
  const nearest = (value: string): string => {
    const place = placeOf(value)
    const gaps = known.map((one) => gapOf(one, place))
    return names[gaps.indexOf(Math.min(...gaps))] ?? value
  }
  return masks.map((mask) => (mask.smeared ? { ...mask, values: renamed(mask.values, nearest) } : mask))
}

function byFrequency(masks: readonly MaskOfSet[]): string[] {
  const pixels = new Map<string, number>()
  for (const { values } of masks)
    for (const [value, count] of Object.entries(values)) pixels.set(value, (pixels.get(value) ?? 0) + count)
  return [...pixels].sort(([, one], [, other]) => other - one).map(([value]) => value)
}

function renamed(values: Record<string, number>, rename: (value: string) => string): Record<string, number> {
  const all: Record<string, number> = {}
  for (const [value, pixels] of Object.entries(values)) {
    const name = rename(value)
    all[name] = (all[name] ?? 0) + pixels
  }
  return all
}

const placeOf = (value: string): number[] =>
  isColour(value) ? [1, 3, 5].map((at) => Number.parseInt(value.slice(at, at + 2), 16)) : [Number(value)]

const gapOf = (one: readonly number[], other: readonly number[]): number =>
  Math.max(...one.map((part, index) => Math.abs(part - (other[index] ?? 0))))

const isNear = (one: readonly number[], other: readonly number[]): boolean => gapOf(one, other) <= REACH

/** Values that count what is seen: in each picture from 1, in different pictures up to different numbers, and high ones. */
export function isThings(masks: readonly MaskOfSet[]): boolean {
  const marked = masks.filter(({ values }) => Object.keys(values).some((value) => value !== '0'))
  const counted = marked.filter(({ values, things = 0 }) => things > 0 || Object.keys(values).length <= 2)
  if (counted.length < marked.length * THINGS_SHARE) return false
  const numbers = counted.map(({ things = 0 }) => things)
  const most = Math.max(0, ...numbers)
  // More than classes can be were counted by the engine.
  const isSure = counted.some(({ values, things = 0 }) => things > Object.keys(values).length)
  return isSure || (most >= MANY_THINGS && new Set(numbers).size > 1)
}
