/** How places, speeds and times of the viewer are written. */
import type { Three } from '@neuroloom/contract/flow/slice'
import type { FlowStudy } from '@neuroloom/contract/flow/study'
import { formatNumber } from '../../../lib/format.ts'

/** "R 12.3 · P 4 · H 20.1 mm" where the study is placed. */
export function placeText({ isPlaced }: FlowStudy, place: Three): string {
  return place
    .map((value, axis) => {
      const letter = isPlaced ? (value < 0 ? 'LPF' : 'RAH')[axis] : 'xyz'[axis]
      return `${letter} ${formatNumber(isPlaced ? Math.abs(value) : value, 1)}`
    })
    .join(' · ')
}

/** m/s as cm/s. */
export const centimetres = (metres: number, digits = 1): string => formatNumber(100 * metres, digits)
/** m³/s as mL/s, or m³ as mL. */
export const millilitres = (cubicMetres: number, digits = 1): string =>
  formatNumber(1e6 * cubicMetres, digits)
/** m² as mm². */
export const squareMillimetres = (square: number): string => formatNumber(1e6 * square, 1)

/** ms after the R wave, or the number of the frame where times are not told. */
export const millisecondsAt = ({ times }: FlowStudy, frame: number): number =>
  Math.round(1000 * (times[frame] ?? 0))
