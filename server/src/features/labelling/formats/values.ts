/** Which numbers stand for which classes where masks hold classes: from 1 in their order; background is 0. */
import type { LabelClass } from '@neuroloom/contract/labelling/classes'
import type { Flat } from './flat.ts'
import { sliceOf } from './segments.ts'

export type Numbered = LabelClass & { value: number }

/** The number of what counts nowhere, as Pascal VOC has it. */
export const IGNORED = 255

/** With `ignored` all ignored areas have that number, and no other class has it. */
export function numbered(classes: readonly LabelClass[], ignored: number | null): Numbered[] {
  let value = 0
  return classes.flatMap((one) => {
    if (one.use === 'background') return []
    if (one.use === 'ignore' && ignored !== null) return [{ ...one, value: ignored }]
    value += value + 1 === ignored ? 2 : 1
    return [{ ...one, value }]
  })
}

export function valuesOf(numbers: readonly Numbered[], { segments }: Flat): Uint16Array {
  const byClass = new Map(numbers.map(({ id, value }) => [id, value]))
  const values = new Uint16Array(65_536)
  for (const { number, class: owner } of segments.values()) values[number] = byClass.get(owner) ?? 0
  return values
}

/** One slice with the classes' numbers. */
export function classSlice({ pixels }: Flat, values: Uint16Array, slice: number): Uint16Array {
  const numbers = sliceOf(pixels, slice)
  for (let at = 0; at < numbers.length; at++) numbers[at] = values[numbers[at] ?? 0] ?? 0
  return numbers
}

/** Red, green, blue of `#rrggbb`. */
export const partsOf = (colour: string): [number, number, number] => {
  const number = Number.parseInt(colour.slice(1), 16)
  return [(number >> 16) & 255, (number >> 8) & 255, number & 255]
}
