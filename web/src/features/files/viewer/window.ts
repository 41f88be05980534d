/** The window of a volume: where it begins, how far its slider leads, and in which steps. Pure. */
import type { ImageFacts } from '@neuroloom/contract/viewing'

/** The value that is black, and the one that is white. */
export type Window = [number, number]

/**
 * The file's own, else the one that leaves out single outliers. One of the file's that spreads the values over less than
 * `LEAST_SHARE` of the greys shows next to nothing, as when it was written for another sequence; it stays among the presets.
 * Hounsfield units have a meaning of their own: there the file is always believed.
 */
export function firstWindow({ windows: [own], usual, range, unit }: ImageFacts): Window {
  const { min, max } = usual ?? range ?? { min: 0, max: 1 }
  if (!own) return [min, max]
  const [black, white] = [own.center - own.width / 2, own.center + own.width / 2]
  const shown = Math.max(0, Math.min(white, max) - Math.max(black, min))
  const isTooWide = (usual ?? range) !== null && unit !== 'HU' && shown < LEAST_SHARE * own.width
  return isTooWide ? [min, max] : [black, white]
}

const LEAST_SHARE = 0.4

/** One where values are whole; else a round number of which there are about a thousand. */
export function stepOf(facts: ImageFacts, isWhole: boolean): number {
  const [low, high] = ends(facts, isWhole)
  const span = high - low
  const { dataType, range } = facts
  const isInteger =
    !dataType.startsWith('float') && Number.isInteger(range?.min) && Number.isInteger(range?.max)
  if (isInteger && span > FEW) return 1
  const [mantissa = 1, power = 0] = (span / STEPS).toExponential().split('e').map(Number)
  const round = [5, 2].find((one) => one <= mantissa) ?? 1
  return Number(`${round}e${power}`)
}

const STEPS = 1000
/** Of fewer whole numbers, steps of one would be coarse. */
const FEW = 20

/** On steps, so that both ends are reached. */
export function boundsOf(facts: ImageFacts, isWhole: boolean): Window {
  const step = stepOf(facts, isWhole)
  const [low, high] = ends(facts, isWhole)
  const exact = (count: number): number => Number((count * step).toPrecision(12))
  return [exact(Math.floor(low / step)), exact(Math.ceil(high / step))]
}

/** As far again as the usual values reach; not to values that stand alone, but where all are asked for. */
function ends({ range, usual, windows: [own] }: ImageFacts, isWhole: boolean): Window {
  if (!range) return [0, 1]
  if (isWhole || !usual) return [range.min, range.max]
  const around = usual.max - usual.min
  const low = Math.min(usual.min - around, own ? own.center - own.width / 2 : usual.min)
  const high = Math.max(usual.max + around, own ? own.center + own.width / 2 : usual.max)
  return [Math.max(range.min, low), Math.min(range.max, high)]
}
