/** Sizes, channels and whatever else settings are chosen from, over all items of a data set. */
import type { DataFacts } from '@neuroloom/contract/datasets'
import type { FileFacts } from '@neuroloom/contract/engine'
import type { Item } from './recognise/shapes.ts'

type Further = Partial<Pick<DataFacts, 'factor' | 'boxSide' | 'turnedBoxes'>>

export function summarise(
  images: readonly FileFacts[],
  classCounts: number[],
  further: Further = {},
): DataFacts | null {
  if (images.length === 0) return null
  // The engine brings them to 256 grey values picture by picture.
  const stretched = images.filter(({ bits, depth }) => depth === null && bits === 32).length
  const unspaced = images.filter(({ depth, spacing }) => depth !== null && spacing === null).length
  const depths = images.flatMap(({ depth }) => depth ?? [])
  return {
    items: images.length,
    width: spanOf(images.map(({ width }) => width)),
    height: spanOf(images.map(({ height }) => height)),
    channels: images.some(({ channels }) => channels === 3) ? 3 : 1,
    classCounts,
    depth: depths.length === 0 ? null : spanOf(depths),
    spacing: medianSpacing(images),
    factor: further.factor ?? null,
    boxSide: further.boxSide ?? null,
    given: null,
    patients: null,
    ...(stretched > 0 ? { stretched } : {}),
    ...(unspaced > 0 ? { unspaced } : {}),
    ...(further.turnedBoxes ? { turnedBoxes: further.turnedBoxes } : {}),
  }
}

/** Whole numbers. */
export function spanOf(numbers: number[]): DataFacts['width'] {
  const sorted = numbers.sort((left, right) => left - right)
  const at = (index: number): number => sorted[index] ?? 0
  return { min: at(0), median: at(Math.floor(sorted.length / 2)), max: at(sorted.length - 1) }
}

function medianSpacing(images: readonly FileFacts[]): DataFacts['spacing'] {
  const known = images.flatMap(({ spacing }) => (spacing === null ? [] : [spacing]))
  if (known.length === 0) return null
  const median = (axis: 0 | 1 | 2): number => {
    const sorted = known.map((one) => one[axis]).sort((left, right) => left - right)
    return sorted[Math.floor(sorted.length / 2)] ?? 1
  }
  return [median(0), median(1), median(2)]
}

type Told = Pick<Item, 'part' | 'patient' | 'class' | 'labels' | 'boxes'>

/** Who the items come from and what they are for, as far as the data set says it. */
export function originsOf(
  items: readonly Told[],
): Pick<DataFacts, 'given' | 'patients'> & Partial<DataFacts> {
  const given = { train: 0, validation: 0, test: 0 }
  const patients = new Set<string>()
  const learners = new Set<string | symbol>()
  for (const { part, patient } of items) {
    if (part !== null) given[part] += 1
    if (part === 'train') learners.add(patient ?? Symbol())
    if (patient !== null) patients.add(patient)
  }
  const isGiven = given.train + given.validation + given.test > 0
  return {
    given: isGiven ? given : null,
    patients: patients.size > 0 ? patients.size : null,
    ...(isGiven ? { learners: learners.size } : {}),
    absent: { train: isGiven ? absentIn(items, 'train') : [], test: isGiven ? absentIn(items, 'test') : [] },
  }
}

/** Items given for the test of whose patients others are given for learning or checking, by their numbers. */
export function seenBefore(items: readonly Pick<Item, 'part' | 'patient'>[]): number[] {
  const learned = new Set(
    items.flatMap(({ part, patient }) => (part === 'train' || part === 'validation' ? [patient] : [])),
  )
  return items.flatMap(({ part, patient }, index) =>
    part === 'test' && patient !== null && learned.has(patient) ? [index] : [],
  )
}

/** Classes that other parts have. Masks are not looked into: none is told to be absent. */
function absentIn(items: readonly Told[], wanted: 'train' | 'test'): number[] {
  const classesOf = (one: Told): number[] => [
    ...(one.class === null ? [] : [one.class]),
    ...(one.labels ?? []),
    ...(one.boxes ?? []).map((box) => box.class),
  ]
  const here = new Set(items.filter(({ part }) => part === wanted).flatMap(classesOf))
  const all = new Set(items.flatMap(classesOf))
  return [...all].filter((index) => !here.has(index)).sort((left, right) => left - right)
}
