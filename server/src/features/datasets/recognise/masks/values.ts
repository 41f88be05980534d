/** What the values of a set of masks mean: which value or colour is which class, and which masks do not fit in. */
import type { Pairs } from '../shapes.ts'
import { areNumberedApart, inColours, isColour, isThings, type MaskOfSet, withoutNoise } from './noise.ts'

export type MaskCode = {
  /** Grey value (as text), colour (`#ff0000`), or `*` for every other value, to class index; -1 does not count. */
  maskValues: Record<string, number>
  classes: string[]
  /** Ids of masks whose values do not belong to the others', with how many values they have. */
  refused: Map<string, number>
  /** Each thing has a value of its own, and all count as one class. */
  areThings: boolean
  /** Each mask was stretched to 0–255 by itself, so that one grey is another class in each: all are refused. */
  areStretched?: boolean
  /** So many masks have palettes that do not agree in their numbers: their colours count. */
  renumbered?: number
}

/** Up to here values count as class numbers; brighter masks are drawn to be seen (0/255, 0/85/170/255). */
const MAX_INDEX = 63
/** Outlines, and what nobody decided on, in masks of class numbers (Pascal VOC, Cityscapes). */
const IGNORE = 255
/** Two values this close in a mask drawn to be seen are one value blurred by lossy compression. */
const BLUR = 3
/** So many of the masks must be pure black and white for the others to count as faulty. */
const BINARY_SHARE = 0.8
/** More colours are no classes: things painted in many colours, or no masks at all. */
const MAX_COLOURS = 64
/** Class index of what does not count. */
const NOT_COUNTED = -1

export function readMaskCode(
  given: readonly MaskOfSet[],
  layout: Pairs['layout'] = 'images_masks',
): MaskCode {
  const masks = withoutNoise(inColours(given))
  if (isThings(masks)) return thingsOf('0')
  const code = codeOf(masks, layout)
  if (!areNumberedApart(given)) return code
  return { ...code, renumbered: given.filter(({ palette }) => palette !== undefined).length }
}

function codeOf(masks: readonly MaskOfSet[], layout: Pairs['layout']): MaskCode {
  if (masks.some(({ values }) => Object.keys(values).some(isColour))) return byColours(masks)
  const shallow = inEightBits(masks)
  if (shallow === null) return byGreys(masks, layout)
  const code = byGreys(shallow, layout)
  const deep = masks.flatMap(({ values }) => Object.keys(values)).filter((value) => Number(value) > MAX_BYTE)
  const same = deep.flatMap((value) => {
    const index = code.maskValues[eightBitsOf(value)]
    return index === undefined ? [] : [[value, index] as const]
  })
  return { ...code, maskValues: { ...code.maskValues, ...Object.fromEntries(same) } }
}

const MAX_BYTE = 255
const eightBitsOf = (value: string): string => String(Number(value) > MAX_BYTE ? Number(value) >> 8 : value)

/**
 * Programs save 16 bits by stretching 8 of them: 127 of some masks is then 32,767 in others. Null where there are no such,
 * or where some of them have no fellow among the masks of 8 bits.
 */
function inEightBits(masks: readonly MaskOfSet[]): MaskOfSet[] | null {
  const isDeep = ({ values }: MaskOfSet): boolean =>
    Object.keys(values).some((value) => Number(value) > MAX_BYTE)
  const known = new Set(masks.filter((mask) => !isDeep(mask)).flatMap(({ values }) => Object.keys(values)))
  const deep = masks.filter(isDeep).flatMap(({ values }) => Object.keys(values))
  const areFellows = deep.every(
    (value) => known.has(eightBitsOf(value)) && (value === '0' || Number(value) > MAX_BYTE),
  )
  const areWide = deep.includes('65535') || deep.every((value) => Number(value) % (MAX_BYTE + 1) === 0)
  if (deep.length === 0 || !areFellows || !areWide) return null
  return masks.map((mask) => ({
    ...mask,
    values: Object.fromEntries(
      Object.entries(mask.values).map(([value, pixels]) => [eightBitsOf(value), pixels]),
    ),
  }))
}

const thingsOf = (background: string): MaskCode => ({
  ...{ maskValues: { [background]: 0, '*': 1 }, classes: ['background', 'foreground'] },
  ...{ refused: new Map(), areThings: true },
})

function byGreys(masks: readonly MaskOfSet[], layout: Pairs['layout']): MaskCode {
  const refused = new Map<string, number>()
  const clean: { id: string; values: number[] }[] = []
  for (const mask of masks) {
    const values = Object.keys(mask.values).map(Number)
    if (mask.smeared !== true && isBlurred(values)) refused.set(mask.id, values.length)
    else clean.push({ id: mask.id, values })
  }
  if (areStretched(clean)) {
    for (const { id, values } of clean) if (values.length > 1) refused.set(id, values.length)
    return { maskValues: { '0': 0 }, classes: ['background'], refused, areThings: false, areStretched: true }
  }
  const binary = clean.filter(({ values }) => values.every((value) => value === 0 || value === IGNORE))
  const hasWhite = binary.some(({ values }) => values.includes(IGNORE))
  const isWhite = hasWhite && binary.length >= clean.length * BINARY_SHARE
  const kept = isWhite ? clean.filter(({ values }) => values.length <= 2) : clean
  const keptIds = new Set(kept.map(({ id }) => id))
  for (const { id, values } of clean) if (!keptIds.has(id)) refused.set(id, values.length)
  const oneThing = oneThingOf(kept, isWhite)
  if (oneThing) return { ...oneThing, refused, areThings: false }
  const all = [...new Set(kept.flatMap((mask) => mask.values))].sort((left, right) => left - right)
  // Of volumes all of it counts.
  const mayLeaveOpen = layout === 'images_masks'
  if (!mayLeaveOpen || !leavesOpen(kept, all)) return { ...nameValues(all), refused, areThings: false }
  const { maskValues, classes } = nameValues(all.filter((value) => value !== IGNORE))
  const withOpen = { ...maskValues, [IGNORE]: NOT_COUNTED }
  return { maskValues: withOpen, classes, refused, areThings: false }
}

/**
 * Masks of two values mark one thing, whatever the values are: some drew it in 1, others in 255. Null where a mask has more
 * values, where different masks have different class numbers, or where one mask marks what is background in another.
 */
function oneThingOf(
  masks: readonly { values: number[] }[],
  isWhite: boolean,
): Pick<MaskCode, 'maskValues' | 'classes'> | null {
  if (masks.some(({ values }) => values.length > 2)) return null
  const pairs = masks.filter(({ values }) => values.length === 2)
  const singles = masks.flatMap(({ values: [value, second] }) => (second === undefined ? (value ?? 0) : []))
  const grounds = new Set([...pairs.map(({ values }) => Math.min(...values)), ...singles.filter(isZero)])
  const marks = new Set(pairs.map(({ values }) => Math.max(...values)))
  for (const value of singles) if (!grounds.has(value)) marks.add(value)
  const numbers = [...marks].filter((value) => value <= MAX_INDEX)
  const areClasses = numbers.length > 1 && !isWhite
  if (marks.size === 0 || areClasses || [...marks].some((value) => grounds.has(value))) return null
  if (grounds.size === 0) grounds.add(0)
  const maskValues = Object.fromEntries([
    ...[...grounds].map((value) => [String(value), 0] as const),
    ...[...marks].map((value) => [String(value), 1] as const),
  ])
  return { maskValues, classes: ['background', 'foreground'] }
}

const isZero = (value: number): boolean => value === 0

/**
 * Programs that save numbers of classes "to be seen" spread those of each file evenly over 0–255: 127 beside two others is
 * what 85 is beside three. So they are where masks of different numbers of evenly spread values do not share these.
 */
function areStretched(masks: readonly { values: number[] }[]): boolean {
  const many = masks
    .map(({ values }) => [...values].sort((left, right) => left - right))
    .filter(({ length }) => length > 2)
  const longest = many.reduce<number[]>((most, values) => (values.length > most.length ? values : most), [])
  const isOther = (value: number): boolean => longest.every((one) => Math.abs(one - value) > ROUNDED)
  return many.every(isEven) && many.some((values) => values.some(isOther))
}

/** 127 and 128 are both the middle. */
const ROUNDED = 1

const isEven = (values: readonly number[]): boolean =>
  values.every((value, index) => Math.abs(value - (index * 255) / (values.length - 1)) < 1)

/** Beside class numbers 255 is none. Where most masks have it beside 0 alone it marks things: some drew in 1, others in 255. */
function leavesOpen(masks: readonly { values: number[] }[], all: readonly number[]): boolean {
  const numbers = all.filter((value) => value !== IGNORE)
  if (numbers.length < 2 || numbers.some((value) => value > MAX_INDEX)) return false
  const open = masks.filter(({ values }) => values.includes(IGNORE))
  const beside = open.filter(({ values }) => values.some((value) => value !== 0 && value !== IGNORE))
  return beside.length * 2 > open.length
}

/** Each colour a class, black the background, else what covers most. */
function byColours(masks: readonly MaskOfSet[]): MaskCode {
  const pixels = new Map<string, number>()
  for (const { values } of masks)
    for (const [value, count] of Object.entries(values)) pixels.set(value, (pixels.get(value) ?? 0) + count)
  const byArea = [...pixels].sort(([, one], [, other]) => other - one).map(([value]) => value)
  const background = pixels.has(BLACK) ? BLACK : (byArea[0] ?? BLACK)
  if (pixels.size > MAX_COLOURS) {
    const isShared = masks.every(({ values }) => background in values)
    if (isShared && arePainted(masks, background)) return thingsOf(background)
    const refused = new Map(masks.map(({ id, values }) => [id, Object.keys(values).length]))
    return { maskValues: { [background]: 0 }, classes: ['background'], refused, areThings: false }
  }
  const marks = byArea.filter((value) => value !== background).sort()
  if (areOneThing(masks, { background, marks })) {
    const maskValues = Object.fromEntries([[background, 0], ...marks.map((value) => [value, 1] as const)])
    return { maskValues, classes: ['background', 'foreground'], refused: new Map(), areThings: false }
  }
  const maskValues = Object.fromEntries([background, ...marks].map((value, index) => [value, index]))
  const names = marks.length === 1 ? ['foreground'] : marks
  return { maskValues, classes: ['background', ...names], refused: new Map(), areThings: false }
}

const BLACK = '#000000'

/** Masks of two values, of which some are drawn in one colour and the others in greys. */
function areOneThing(
  masks: readonly MaskOfSet[],
  { background, marks }: { background: string; marks: readonly string[] },
): boolean {
  const areBinary = masks.every(({ values }) => {
    const all = Object.keys(values)
    return all.length === 1 || (all.length === 2 && all.includes(background))
  })
  return areBinary && marks.length > 0 && marks.filter((value) => !isGrey(value)).length <= 1
}

const isGrey = (value: string): boolean =>
  value.slice(1, 3) === value.slice(3, 5) && value.slice(3, 5) === value.slice(5, 7)

/** A colour a thing: most of the colours are seen in one mask alone. */
function arePainted(masks: readonly MaskOfSet[], background: string): boolean {
  const seen = new Map<string, number>()
  for (const { values } of masks)
    for (const value of Object.keys(values)) seen.set(value, (seen.get(value) ?? 0) + 1)
  seen.delete(background)
  return [...seen.values()].filter((times) => times === 1).length * 2 >= seen.size
}

/** Many values round a few: a mask that was saved as JPEG or scaled with smoothing. */
function isBlurred(values: number[]): boolean {
  const drawn = values.filter((value) => value !== IGNORE)
  if (drawn.every((value) => value <= MAX_INDEX)) return false
  const sorted = [...values].sort((left, right) => left - right)
  return sorted.some((value, index) => index > 0 && value - (sorted[index - 1] ?? value) <= BLUR)
}

/** The darkest value is the background; one value alone is foreground on an unseen background unless it is 0. */
function nameValues(values: number[]): Pick<MaskCode, 'maskValues' | 'classes'> {
  const all = values.includes(0) || values.length > 1 ? values : [0, ...values]
  const maskValues = Object.fromEntries(all.map((value, index) => [String(value), index]))
  if (all.length === 2) return { maskValues, classes: ['background', 'foreground'] }
  const areIndexes = all.every((value) => value <= MAX_INDEX || value === IGNORE)
  const classes = all.map((value, index) =>
    index === 0 ? 'background' : `class ${areIndexes ? value : index}`,
  )
  return { maskValues, classes }
}
