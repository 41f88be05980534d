/** The parameters of a recipe's steps as forms show them: which there are, between what, and in which unit. Data and pure functions only. */
import { recipes as limits, masks as maskLimits } from '../limits.ts'
import type { Step } from './recipe.ts'

/** A parameter as a form shows it. */
export function parameterOf(step: Step, key: string): string | number | null {
  const value: unknown = Object.entries(step).find(([name]) => name === key)?.[1]
  return typeof value === 'string' || typeof value === 'number' ? value : null
}

export type StepField =
  | {
      key: string
      kind: 'number'
      min: number
      max: number
      by?: number
      unit?: 'px' | 'degrees' | 'percent' | 'mm' | 'volume'
    }
  | { key: string; kind: 'choice'; values: readonly string[] }

const px = (key: string, min = 1): StepField => ({ key, kind: 'number', min, max: limits.side, unit: 'px' })
const sides = [px('width'), px('height')]
const how = (...values: string[]): StepField => ({ key: 'how', kind: 'choice', values })

export function fieldsOf(step: Step): StepField[] {
  switch (step.do) {
    case 'size':
      return [how('stretch', 'inside', 'filled'), ...sides]
    case 'crop':
      return [how('centre', 'box', 'content'), ...placeOf(step)]
    case 'pad':
      return [{ key: 'fill', kind: 'choice', values: ['black', 'edge', 'mirror'] }, ...sides]
    case 'rotate':
      return [{ key: 'degrees', kind: 'number', min: -360, max: 360, by: 90, unit: 'degrees' }]
    case 'flip':
      return [{ key: 'axis', kind: 'choice', values: ['horizontal', 'vertical'] }]
    case 'window':
      return [
        { key: 'centre', kind: 'number', min: -1e6, max: 1e6 },
        { key: 'width', kind: 'number', min: 1, max: 1e6 },
      ]
    case 'normalise':
      return [how('percentile', 'minmax', 'zscore'), ...(step.how === 'percentile' ? percentiles : [])]
    case 'clahe':
      return [
        { key: 'tiles', kind: 'number', min: 1, max: 32 },
        { key: 'clip', kind: 'number', min: 1, max: 100, by: 0.5 },
      ]
    case 'denoise':
      return [how('median', 'gaussian', 'means'), strengthOf(step)]
    case 'bias':
      return [{ key: 'degree', kind: 'number', min: 1, max: 4 }]
    case 'tiles':
      return [...sides, px('overlap', 0)]
    case 'index':
      return [{ key: 'others', kind: 'choice', values: ['background', 'refuse'] }]
    case 'grow':
      return [
        how('grow', 'shrink'),
        { key: 'radius', kind: 'number', min: 0.1, max: maskLimits.radius, by: 0.5, unit: 'mm' },
        oneClass,
      ]
    case 'fill':
      return [oneClass]
    case 'pieces':
      return [how('largest', 'least'), ...(step.how === 'least' ? [least] : []), oneClass]
    case 'remap':
      return [{ key: 'rest', kind: 'choice', values: ['stay', 'background'] }]
    case 'grey':
      return []
    default:
      return step satisfies never
  }
}

function placeOf({ how: way }: Extract<Step, { do: 'crop' }>): StepField[] {
  if (way === 'content')
    return [{ key: 'above', kind: 'number', min: 0, max: 90, unit: 'percent' }, px('margin', 0)]
  return way === 'box' ? [px('left', 0), px('top', 0), ...sides] : sides
}

/** 0 stands for all. */
const oneClass: StepField = { key: 'value', kind: 'number', min: 0, max: maskLimits.number }
const least: StepField = { key: 'least', kind: 'number', min: 0, max: maskLimits.pieceSize, unit: 'volume' }

const percentiles: StepField[] = [
  { key: 'low', kind: 'number', min: 0, max: 49, by: 0.5, unit: 'percent' },
  { key: 'high', kind: 'number', min: 51, max: 100, by: 0.5, unit: 'percent' },
]

function strengthOf({ how: way }: Extract<Step, { do: 'denoise' }>): StepField {
  if (way === 'median') return { key: 'radius', kind: 'number', min: 1, max: 5, unit: 'px' }
  if (way === 'gaussian') return { key: 'sigma', kind: 'number', min: 0.1, max: 10, by: 0.1, unit: 'px' }
  return { key: 'strength', kind: 'number', min: 0.1, max: 5, by: 0.1 }
}

/** What somebody else may be given to choose: not the way of a step, which would ask for other parameters. */
export const openFieldsOf = (step: Step): StepField[] =>
  fieldsOf(step).filter(({ key }) => key !== 'how' || step.do === 'size' || step.do === 'grow')
