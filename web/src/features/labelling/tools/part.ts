/** What an assist would draw, part by part of planes. Data only. */
import type { LabelClass } from '@neuroloom/contract/labelling/classes'
import type { Thing } from '@neuroloom/contract/labelling/things'
import type { Mask } from '../assist/plane.ts'
import type { Axis } from '../canvas/plane.ts'

/** Nothing changes here. */
export const KEEP = 65_535

/** The chosen class's segment, whose number is known only when it counts. */
export const FRESH = KEEP - 1

/** Segments for a part of a plane; `KEEP` = as it is, 0 = none. */
export type Part = {
  axis: Axis
  slice: number
  left: number
  top: number
  width: number
  height: number
  values: Uint16Array
}
export type Proposal = {
  tool: string
  parts: readonly Part[]
  things?: readonly Thing[]
  picture?: Map<Part, HTMLCanvasElement | null>
}

/** What the class draws: of the background nothing stays. */
export const drawnBy = (chosen: LabelClass | null): number => (chosen?.use === 'background' ? 0 : FRESH)

/** A mask drawn so; null where it is empty. */
export function maskedAs(drawn: number, { values }: Mask): Uint16Array | null {
  if (!values.includes(1)) return null
  return Uint16Array.from(values, (value) => (value === 1 ? drawn : KEEP))
}
