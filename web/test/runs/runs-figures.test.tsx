import type { Evidence } from '@neuroloom/contract/evidence'
import { screen, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { MetricsTable } from '../../src/features/runs/results/metrics-table.tsx'
import { Score } from '../../src/features/runs/results/score.tsx'
import { RunList } from '../../src/features/runs/run-list.tsx'
import { makeUser, signIn } from '../make.ts'
import { renderPart } from '../render.tsx'
import { serve } from '../serve.ts'
import { makeDetail, makeDone } from './runs-make.ts'

beforeEach(() => signIn(makeUser()))

const detection = makeDone({
  ...{ kind: 'test', task: 'detection', classes: ['Platelets', 'RBC', 'WBC'], confusion: null },
  metrics: { map50: 0.55, precision: 0.397, recall: 0.571, f1: 0.468, microF1: 0.559 },
  perClass: [
    { class: 'Platelets', values: { boxes: 15, precision: null, recall: 0, f1: 0 } },
    { class: 'RBC', values: { boxes: 213, precision: 0.451, recall: 152 / 213, f1: 0.553 } },
    { class: 'WBC', values: { boxes: 16, precision: 0.739, recall: 1, f1: 0.85 } },
  ],
})

describe('the headline of a result', () => {
  it('says which class was never found, before it speaks of the average', async () => {
    renderPart(<Score run={detection} />)
    expect(await screen.findByText('Never found: Platelets (0 of 15).')).toBeVisible()
  })

  it('names the classes that its means go over, and the pooled figure beside them', async () => {
    renderPart(<Score run={detection} />)
    for (const name of ['Precision', 'Recall', 'F1'])
      expect(await screen.findByText(`${name}, mean over 3 classes`)).toBeVisible()
    expect(screen.getByText('Micro F1')).toBeVisible()
  })

  it('of a training on few images has its range on the scale', async () => {
    renderPart(<Score run={makeDone()} />)
    expect(await screen.findByRole('img', { name: '90.0%, 95 % range 76.9% – 96.0%' })).toBeVisible()
  })

  it('of a test waits for the range of its evidence', async () => {
    renderPart(<Score run={makeDone({ kind: 'test' })} />)
    expect(await screen.findByText('90.0%')).toBeVisible()
    expect(screen.queryByRole('img', { name: /95 % range/ })).toBeNull()
  })

  it('is marked in the table of classes', async () => {
    renderPart(<MetricsTable run={detection} />)
    const row = await screen.findByRole('row', { name: /^Platelets/ })
    expect(row).toHaveTextContent('never found')
    expect(screen.getByRole('row', { name: /^RBC/ })).not.toHaveTextContent('found')
  })
})

const validation = { method: 'kfold', splits: 5, seed: 7 } as const
const cross = makeDone({
  ...{ id: 'cross', number: 3, validation, counts: null },
  metrics: { accuracy: 65 / 72, accuracySd: 0.138 },
})
const part = makeDone({
  ...{ id: 'part', kind: 'test', number: 4, parentId: 'cross', validation, counts: { test: 15 } },
  metrics: { accuracy: 1 },
})
const shares = [1, 10 / 15, 1, 13 / 14, 13 / 14]
const evidence: Evidence = {
  ...{ v: 1, items: 72, groups: 72, method: 'score', resamples: 0 },
  ...{ intervals: { accuracy: [0.813, 0.952] }, perClass: [], curves: [], calibration: null },
  ...{ surfaces: [], decisions: [], detections: [], gains: [], heat: null },
  cross: { kept: 0, parts: shares.map((accuracy) => ({ items: 14, epoch: 3, values: { accuracy } })) },
}

describe('a cross-validation', () => {
  beforeEach(() => {
    serve({
      'runs/detail': () => makeDetail(cross),
      'runs/evidence': () => ({ evidence }),
      'runs/list': () => ({ covers: {}, courses: {}, runs: [part, cross] }),
    })
  })

  it('shows each of its rounds, and says what the range leaves out', async () => {
    renderPart(<Score run={cross} />)
    const strip = await screen.findByRole('img', {
      name: 'Accuracy, round by round: 100.0% · 66.7% · 100.0% · 92.9% · 92.9%.',
    })
    expect(strip.querySelectorAll('circle')).toHaveLength(5)
    expect(screen.getByText(/^The 95 % range \(81\.3% to 95\.2%\)/)).toHaveTextContent('(± 13.8%)')
  })

  it('is the better founded figure beside a test of one round', async () => {
    renderPart(<Score run={part} />)
    const said = await screen.findByText(/one round of the cross-validation alone \(15\)/)
    expect(said).toHaveTextContent('tested all 72 images')
    expect(said).toHaveTextContent('Accuracy 90.3% ± 13.8%')
  })

  it('stands in lists above the test of one round, with its spread', async () => {
    renderPart(<RunList projectId={null} networkName={(name) => name} empty={null} />)
    const [first, second] = await screen.findAllByRole('listitem')
    if (!first || !second) throw new Error('The list has too few rows')
    expect(within(first).getByRole('link', { name: 'Training 3' })).toBeVisible()
    expect(first).toHaveTextContent('90.3% ± 13.8%')
    expect(within(second).getByRole('link', { name: 'Test 4' })).toBeVisible()
    expect(second).toHaveTextContent('one round alone; cross-validation: 90.3% ± 13.8%')
  })
})
