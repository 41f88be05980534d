import { decisionColumns } from '@neuroloom/contract/evidence/decision-columns'
import { expect, it } from 'vitest'

const perClass = [{ class: 'ill', values: { recall: 0.8, precision: 0.9, f1: 0.85 } }]
const ill = {
  class: 'ill',
  threshold: 0.3,
  basis: 'validation' as const,
  cases: 14,
  figures: [
    { name: 'sensitivity' as const, value: 0.8, interval: null },
    { name: 'ppv' as const, value: 0.9, interval: null },
  ],
}

it('recall and precision are found in the decisions where these hold the same values', () => {
  expect(decisionColumns(perClass, [ill])).toEqual(new Set(['recall', 'precision']))
})

it('a figure that differs, or that no decision holds, keeps its column', () => {
  const other = { ...ill, figures: [{ name: 'sensitivity' as const, value: 0.7, interval: null }] }
  expect(decisionColumns(perClass, [other])).toEqual(new Set())
  expect(decisionColumns(perClass, [])).toEqual(new Set())
  const twoClasses = [...perClass, { class: 'well', values: { recall: 0.8, precision: 0.9 } }]
  expect(decisionColumns(twoClasses, [ill])).toEqual(new Set())
})
