/** Images and volumes with masks of the same size: one item a pair. */

import type { Problem } from '@neuroloom/contract/datasets'
import type { FileFacts } from '@neuroloom/contract/engine'
import { summarise } from '../../data-facts.ts'
import { lookAtPairs, type ReadPair } from '../pair-problems.ts'
import { type Assembled, type Look, type Mix, type Pairs, plainItem } from '../shapes.ts'
import { cornersApart } from './corners.ts'
import { maskFactsOf, readersOf, type Usable } from './facts.ts'
import { type MaskOfSet, valuesIn } from './noise.ts'
import { regionsOf } from './regions.ts'
import { type MaskCode, readMaskCode } from './values.ts'

export function assembleMasks(layout: Pairs, look: Look): Assembled {
  const { readable, problems } = lookAtPairs(layout, look)
  const fitting: Usable[] = []
  for (const pair of readable) {
    const problem = outlineMisfitOf(pair) ?? misfitOf(pair.label, pair.facts, pair.labelFacts)
    if (problem) problems.push(problem)
    else fitting.push({ ...pair, values: pair.labelFacts.values ?? {} })
  }
  const [spaced, unspaced] = bySpacing(fitting)
  for (const { image } of unspaced) problems.push({ path: image, reason: 'spacing_unknown', params: {} })
  const code = codeOf(layout, spaced, look)
  for (const [path, values] of code.refused) {
    problems.push({ path, reason: refusalOf(code), params: { values } })
  }
  const usable = spaced
    .filter(({ label, mix }) => !(isJoined(mix) ? mix.paths : [label]).some((path) => code.refused.has(path)))
    .map((one): Usable => {
      const [mask] = maskOf(one.label, one.labelFacts)
      return mask ? { ...one, values: valuesIn(code.maskValues, mask) } : one
    })
  const counts = countPixels(usable, code)
  const classes = layout.kindNames && !code.areThings ? kindsOf(code, layout.kindNames) : code.classes
  // Of volumes all of it counts.
  const regions = layout.layout === 'images_masks' ? regionsOf(usable, look) : new Map<string, string>()
  const facts = summarise(
    usable.map((item) => item.facts),
    counts,
  )
  return {
    items: usable.map((item) => ({
      ...plainItem(item.image, item.facts),
      label: item.made ?? item.label,
      region: regions.get(item.image) ?? null,
      part: item.part ?? null,
    })),
    problems,
    classes,
    maskValues: code.maskValues,
    channels: facts?.channels ?? 1,
    factor: null,
    facts: facts && { ...facts, ...readersOf(layout), ...maskFactsOf({ layout, usable, code, regions }) },
    failure: failureOf(usable.length, code.classes.length),
  }
}

function refusalOf({ areStretched, maskValues }: MaskCode): Problem['reason'] {
  if (areStretched) return 'mask_stretched'
  return Object.keys(maskValues).some((value) => value.startsWith('#')) ? 'mask_colour' : 'mask_values'
}

/** Voxels of unknown size among others would be scaled as if they were of 1 mm. The second ones are set aside. */
function bySpacing(fitting: Usable[]): [Usable[], Usable[]] {
  const isSpaced = ({ facts }: Usable): boolean => facts.depth === null || facts.spacing !== null
  const spaced = fitting.filter(isSpaced)
  return spaced.length === 0 ? [fitting, []] : [spaced, fitting.filter((one) => !isSpaced(one))]
}

function codeOf(layout: Pairs, fitting: readonly Usable[], look: Look): MaskCode {
  if (layout.known) return { ...layout.known, refused: new Map(), areThings: false }
  const masks = fitting.flatMap(({ label, mix, labelFacts }) =>
    isJoined(mix)
      ? mix.paths.flatMap((path) => maskOf(path, look.check(path).facts))
      : maskOf(label, labelFacts),
  )
  return readMaskCode(masks, layout.layout)
}

/** Joined masks keep the values of their files; kinds of things have values only where they are joined. */
const isJoined = (mix: Mix | undefined): mix is Mix => mix !== undefined && mix.how !== 'kinds'

function maskOf(id: string, facts: FileFacts | null): MaskOfSet[] {
  if (!facts?.values) return []
  const { values, palette, smeared, things } = facts
  return [
    {
      ...{ id, values },
      ...(palette ? { palette } : {}),
      ...(smeared === undefined ? {} : { smeared }),
      ...(things === undefined ? {} : { things }),
    },
  ]
}

/**
 * What the values of a set of masks mean, before any of them are joined: so that it is the same whether some, all or none
 * are. Null where no files are joined by their values.
 */
export function codeBeforeJoining(layout: Pairs, look: Look): MaskCode | null {
  if (!layout.pairs.some(({ mix }) => isJoined(mix))) return null
  const fitting = layout.pairs.flatMap((pair): Usable[] => {
    const { facts } = look.check(pair.image)
    const parts = (pair.mix?.paths ?? [pair.label]).map((path) => ({ path, facts: look.check(path).facts }))
    const fits = parts.every((part) => facts && part.facts && isFitting(part.path, facts, part.facts))
    const [first] = parts
    return facts && first?.facts && fits ? [{ ...pair, facts, labelFacts: first.facts, values: {} }] : []
  })
  return codeOf(layout, fitting, look)
}

/** Also a mask that will be turned along with its picture. */
const isFitting = (path: string, image: FileFacts, mask: FileFacts): boolean =>
  misfitOf(path, image, mask) === null || (mask.width === image.height && mask.height === image.width)

/** Mixed masks have the values that their kinds were given. */
const kindsOf = ({ maskValues, classes }: MaskCode, kindNames: readonly string[]): string[] => {
  const values = Object.entries(maskValues)
  return classes.map((name, index) => {
    const [value = '0'] = values.find(([, of]) => of === index) ?? []
    return index === 0 ? name : (kindNames[Number(value) - 1] ?? name)
  })
}

/** Outlines of a picture that was scaled since would mark something else. */
function outlineMisfitOf({ image, drawn, facts: { width, height } }: ReadPair): Problem | null {
  const size = drawn?.size ?? null
  if (size === null || (size.width === width && size.height === height)) return null
  const params = { width, height, maskWidth: size.width, maskHeight: size.height }
  return { path: image, reason: 'size_differs', params }
}

/** Voxels of 1 mm and of 1.0005 mm lie on each other; headers round. */
const SPACING_SLACK = 0.01

function misfitOf(path: string, image: FileFacts, mask: FileFacts): Problem | null {
  const { width, height, depth } = image
  const isVolume = depth !== null || mask.depth !== null
  if (width !== mask.width || height !== mask.height || depth !== mask.depth) {
    const params = { width, height, maskWidth: mask.width, maskHeight: mask.height }
    const depths = isVolume ? { depth: depth ?? 1, maskDepth: mask.depth ?? 1 } : {}
    return { path, reason: 'size_differs', params: { ...params, ...depths } }
  }
  if (image.orientation !== mask.orientation) {
    const params = { orientation: image.orientation ?? '?', maskOrientation: mask.orientation ?? '?' }
    return { path, reason: 'orientation_differs', params }
  }
  if (!isSpacedAlike(image.spacing, mask.spacing)) {
    const params = { spacing: inMm(image.spacing), maskSpacing: inMm(mask.spacing) }
    return { path, reason: 'spacing_differs', params }
  }
  const away = cornersApart(image, mask)
  if (away && away.voxels > HALF_VOXEL) {
    const params = { voxels: Math.round(away.voxels * 10) / 10, mm: Math.round(away.mm * 10) / 10 }
    return { path, reason: 'place_differs', params }
  }
  if (!mask.values) return { path, reason: 'mask_values', params: {} }
  const broken = Object.keys(mask.values).filter((value) => value.includes('.'))
  if (broken.length === 0) return null
  return { path, reason: 'mask_not_whole', params: { values: broken.slice(0, FEW_VALUES).join('; ') } }
}

/** A mask that lies less beside its image marks the same voxels. */
const HALF_VOXEL = 0.5

/** Enough to see what went wrong. */
const FEW_VALUES = 5

function isSpacedAlike(one: FileFacts['spacing'], other: FileFacts['spacing']): boolean {
  if (one === null || other === null) return one === other
  return one.every((step, axis) => Math.abs(step - (other[axis] ?? 0)) <= SPACING_SLACK * step)
}

const inMm = (spacing: FileFacts['spacing']): string =>
  (spacing ?? []).map((step) => Math.round(step * 1000) / 1000).join(' × ')

function countPixels(usable: Usable[], { classes, maskValues }: MaskCode): number[] {
  const counts = classes.map(() => 0)
  for (const { values } of usable) {
    for (const [value, pixels] of Object.entries(values)) {
      const index = maskValues[value] ?? maskValues['*']
      if (index !== undefined && index >= 0) counts[index] = (counts[index] ?? 0) + pixels
    }
  }
  return counts
}

function failureOf(usable: number, classes: number): Assembled['failure'] {
  if (usable === 0) return 'nothing_matches'
  return classes < 2 ? 'single_class' : null
}
