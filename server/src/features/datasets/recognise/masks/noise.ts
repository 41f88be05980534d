/** Values of masks before their meaning is asked: one way of writing them, and one value for what smeared files differ in. */
export type MaskOfSet = {
  id: string
  values: Record<string, number>
  /** The colour behind each value, where these are numbers of a palette. */
  palette?: Readonly<Record<string, string>>
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

/**
 * Where some masks are coloured, greys of the others are colours too: an empty mask has black alone. Numbers of palettes
 * are colours where the numbers cannot be what the masks have in common.
 */
export function inColours(masks: readonly MaskOfSet[]): MaskOfSet[] {
  const areColoured = masks.some(({ values }) => Object.keys(values).some(isColour))
  if (!areColoured && !areNumberedApart(masks) && !isShorterInColours(masks)) return [...masks]
  return masks.map(shownIn)
}

/** Palettes that give one colour two numbers, or one number two colours: programs numbered them as they came. */
export function areNumberedApart(masks: readonly MaskOfSet[]): boolean {
  const [colours, numbers] = [new Map<string, string>(), new Map<string, string>()]
  return masks.some(({ palette = {} }) =>
    Object.entries(palette).some(([number, colour]) => {
      const isNew = !colours.has(number) && !numbers.has(colour)
      if (isNew) {
        colours.set(number, colour)
        numbers.set(colour, number)
      }
      return colours.get(number) !== colour || numbers.get(colour) !== number
    }),
  )
}

/** Greys in some files and numbers of a palette of greys in others are the same few only when all are seen as colours. */
function isShorterInColours(masks: readonly MaskOfSet[]): boolean {
  const kinds = new Set(masks.map(({ palette }) => palette !== undefined))
  const count = (some: readonly MaskOfSet[]) =>
    new Set(some.flatMap(({ values }) => Object.keys(values))).size
  return kinds.size > 1 && count(masks.map(shownIn)) < count(masks)
}

const shownIn = (mask: MaskOfSet): MaskOfSet => ({
  ...mask,
  values: renamed(mask.values, (value) => mask.palette?.[value] ?? colourOf(value)),
})

/** A grey value as the colour that it is drawn with. */
export const colourOf = (value: string): string =>
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

/** The pixels of one mask by the values of its set's code; values that the code does not know stay. */
export function valuesIn(
  maskValues: Readonly<Record<string, unknown>>,
  { values, palette, smeared }: Omit<MaskOfSet, 'id'>,
): Record<string, number> {
  const known = Object.keys(maskValues).filter((value) => value !== '*')
  const areColours = known.some(isColour)
  return renamed(values, (value) => {
    const shown = areColours ? (palette?.[value] ?? colourOf(value)) : value
    if (!smeared || known.includes(shown)) return shown
    const gaps = known.map((one) => gapOf(placeOf(one), placeOf(shown)))
    return known[gaps.indexOf(Math.min(...gaps))] ?? shown
  })
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
