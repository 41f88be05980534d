import {
  type SampleSize,
  sizeForAccuracy,
  sizeForArea,
  sizeForKappa,
  sizeForProportions,
  sizeToTellArea,
} from '@neuroloom/contract/statistics/sample-size'
import { formatNumber } from '../../../../lib/format.ts'
import type { Outcome } from '../answer.ts'

/** What is asked before a study, and the figures it needs: shares but `ratio`; each with its bounds and where it begins. */
export const studies = {
  accuracy: {
    fields: { sensitivity: 0.9, specificity: 0.85, prevalence: 0.3, precision: 0.05 },
    paper: 'Buderer 1996, Acad Emerg Med 3:895',
  },
  area: { fields: { area: 0.8, precision: 0.05, ratio: 1 }, paper: 'Hanley & McNeil 1982, Radiology 143:29' },
  tellArea: {
    fields: { area: 0.75, nullArea: 0.5, power: 0.8, ratio: 1 },
    paper: 'Obuchowski 1997, Invest Radiol 32:538',
  },
  proportions: {
    fields: { firstShare: 0.7, secondShare: 0.85, power: 0.8 },
    paper: 'Fleiss, Levin & Paik 2003, Statistical Methods for Rates and Proportions',
  },
  kappa: {
    fields: { kappa: 0.6, yesShare: 0.3, precision: 0.1 },
    paper: 'Donner & Eliasziw 1992, Stat Med 11:1511',
  },
} as const
export type Study = keyof typeof studies

type Field = { [S in Study]: keyof (typeof studies)[S]['fields'] }[Study]
export type Figures = Partial<Record<Field, number>>

export const startOf = (study: Study): Figures => ({ ...studies[study].fields })

export const fieldsOf = (study: Study): Field[] =>
  // `Object.keys` forgets which names there are.
  Object.keys(studies[study].fields) as Field[]

/** Healthy ones to each ill one; all else are shares, told per cent. */
export const boundsOf = (field: Field): { from: number; to: number; isShare: boolean } =>
  field === 'ratio'
    ? { from: 0.1, to: 50, isShare: false }
    : { from: field === 'nullArea' || field === 'area' ? 0.5 : 0.001, to: 0.999, isShare: true }

export function sizeIn(study: Study, figures: Figures): Outcome {
  const isWhole = fieldsOf(study).every((field) => {
    const value = figures[field]
    const { from, to } = boundsOf(field)
    return value !== undefined && value >= from && value <= to
  })
  if (!isWhole) return { problem: { key: 'figures' } }
  const needed = sizeOf(study, figures)
  if (needed === null) return { problem: { key: 'equalFigures' } }
  const { total, first, second } = needed
  const method = `size.${study}`
  const { paper } = studies[study]
  const row = (name: string, value: number) => ({ name, value, as: 'number' as const, method, paper })
  return {
    sentences: [
      {
        key: `size.${study}`,
        params: { total: formatNumber(total), first: formatNumber(first), second: formatNumber(second) },
      },
      { key: 'size.lost' },
    ],
    rows:
      study === 'kappa'
        ? [row('total', total)]
        : [
            row('total', total),
            row(`${study === 'proportions' ? 'eachFirst' : 'ill'}`, first),
            row(`${study === 'proportions' ? 'eachSecond' : 'healthy'}`, second),
          ],
    warnings: [],
    figure: null,
  }
}

function sizeOf(study: Study, figures: Figures): SampleSize | null {
  const of = (field: Field): number => figures[field] ?? Number.NaN
  const [precision, power, ratio, area] = [of('precision'), of('power'), of('ratio'), of('area')]
  switch (study) {
    case 'accuracy':
      return sizeForAccuracy({
        ...{ sensitivity: of('sensitivity'), specificity: of('specificity') },
        ...{ prevalence: of('prevalence'), precision },
      })
    case 'area':
      return sizeForArea({ area, precision, ratio })
    case 'tellArea':
      return area === of('nullArea') ? null : sizeToTellArea({ area, nullArea: of('nullArea'), power, ratio })
    case 'proportions': {
      const [first, second] = [of('firstShare'), of('secondShare')]
      return first === second ? null : sizeForProportions({ first, second, power })
    }
    case 'kappa':
      return sizeForKappa({ kappa: of('kappa'), share: of('yesShare'), precision })
  }
}
