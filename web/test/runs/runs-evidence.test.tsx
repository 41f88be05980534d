import type { Evidence } from '@neuroloom/contract/evidence'
import type { LearnedRun } from '@neuroloom/contract/runs'
import { fireEvent, screen, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { EvidencePanels } from '../../src/features/runs/evidence/evidence-panels.tsx'
import { IntervalTable } from '../../src/features/runs/evidence/interval-table.tsx'
import { atThreshold } from '../../src/features/runs/evidence/threshold.ts'
import { makeUser, signIn } from '../make.ts'
import { renderPart } from '../render.tsx'
import { serve } from '../serve.ts'
import { makeDone } from './runs-make.ts'

beforeEach(() => signIn(makeUser()))

const points = [
  { threshold: 0.9, sensitivity: 0.5, specificity: 1, precision: 1 },
  { threshold: 0.6, sensitivity: 0.8, specificity: 0.95, precision: 0.94 },
  { threshold: 0.2, sensitivity: 1, specificity: 0.6, precision: 0.71 },
]

function makeEvidence(changes: Partial<Evidence> = {}): Evidence {
  return {
    v: 1,
    detections: [],
    gains: [],
    decisions: [],
    items: 180,
    groups: 90,
    method: 'score',
    resamples: 0,
    intervals: { accuracy: [0.86, 0.94] },
    perClass: [{ class: 'ill', intervals: { recall: [0.7, 0.88] } }],
    curves: [
      { class: 'ill', positives: 90, negatives: 90, rocAuc: 0.96, averagePrecision: 0.95, points },
      { class: 'gone', positives: 0, negatives: 180, rocAuc: null, averagePrecision: null, points: [] },
    ],
    calibration: {
      bins: [
        { from: 0.5, to: 0.6, count: 0, confidence: null, accuracy: null },
        { from: 0.9, to: 1, count: 120, confidence: 0.96, accuracy: 0.7 },
      ],
      error: 0.26,
      brier: 0.4,
    },
    surfaces: [],
    cross: null,
    heat: null,
    ...changes,
  }
}

const run = makeDone({
  kind: 'test',
  metrics: { accuracy: 0.9, macroF1: 0.89 },
  perClass: [{ class: 'ill', values: { recall: 0.8, precision: 0.9 } }],
})

function show(evidence: Evidence | null, task: LearnedRun['task'] = 'classification') {
  serve({ 'runs/evidence': () => ({ evidence }) })
  renderPart(<EvidencePanels run={{ ...run, task }} />, '/run?id=run-1')
}

describe('the evidence of a test', () => {
  it('gives each figure its range, and says from how many independent cases', async () => {
    show(makeEvidence())
    const table = within(await screen.findByRole('region', { name: 'How sure these figures are' }))
    expect(table.getByRole('row', { name: /Accuracy/ })).toHaveTextContent('90.0%86.0% – 94.0%')
    expect(table.getByRole('row', { name: /Recall/ })).toHaveTextContent('0.8000.700 – 0.880')
    expect(table.getByRole('rowheader', { name: 'ill' })).toBeVisible()
    expect(screen.getByText(/180 images of 90 independent cases/)).toBeVisible()
  })

  it('calls the items of a test of volumes volumes', async () => {
    show(makeEvidence(), 'volume_segmentation')
    expect(await screen.findByRole('rowheader', { name: 'All volumes' })).toBeVisible()
    expect(screen.queryByText('All images')).toBeNull()
  })

  it('gives no range for as few cases as the page itself calls too few, and says so', async () => {
    show(makeEvidence({ items: 9, groups: 9, intervals: { accuracy: null } }))
    expect(
      await screen.findByText(
        'Independent cases: 9. So few give no honest range. Test on at least 10, better on 100.',
      ),
    ).toBeVisible()
  })

  it('gives no range for one case alone, and says so', async () => {
    show(makeEvidence({ groups: 1, intervals: { accuracy: null } }))
    expect(await screen.findByText(/Independent cases: 1. So few give no honest range/)).toBeVisible()
  })

  it('gives none where an earlier test found too few cases, and says so', async () => {
    show(makeEvidence({ groups: 6, method: 'bootstrap', intervals: { accuracy: null } }))
    expect(await screen.findByText(/Independent cases: 6. So few give no honest range/)).toBeVisible()
  })

  it('tells what answers are worth at the threshold of the training, and how that was chosen', async () => {
    const figures = [
      { name: 'sensitivity' as const, value: 0.9, interval: [0.7, 0.97] as [number, number] },
      { name: 'npv' as const, value: null, interval: null },
    ]
    const ill = { class: 'ill', threshold: 0.3, basis: 'validation' as const, cases: 14, figures }
    const well = { ...ill, class: 'well', threshold: 0.5, basis: 'few' as const, cases: 6 }
    show(makeEvidence({ decisions: [ill, well] }))
    const table = within(await screen.findByRole('region', { name: 'What its predictions are worth' }))
    const row = table.getByRole('row', { name: /^ill/ })
    expect(row).toHaveTextContent(/30/)
    expect(row).toHaveTextContent(/0\.9.*0\.7.*0\.97|90.*70.*97/)
    expect(table.queryByText('Left alone (specificity)')).toBeNull()
    expect(screen.getByText(/For “ill” training chose the threshold on the validation images/)).toBeVisible()
    expect(screen.getByText(/For “well” validation held fewer than 10 cases/)).toBeVisible()
    expect(screen.getByText('“ill” is named from 30.0% on')).toBeVisible()
  })

  it('shows recall and precision once, as what doctors call them', async () => {
    const figures = [
      { name: 'sensitivity' as const, value: 0.8, interval: [0.7, 0.88] as [number, number] },
      { name: 'ppv' as const, value: 0.9, interval: null },
    ]
    const ill = { class: 'ill', threshold: 0.3, basis: 'validation' as const, cases: 14, figures }
    show(
      makeEvidence({
        decisions: [ill],
        perClass: [{ class: 'ill', intervals: { recall: [0.7, 0.88], f1: [0.7, 0.9] } }],
      }),
    )
    const ranges = within(await screen.findByRole('region', { name: 'How sure these figures are' }))
    expect(ranges.queryByRole('row', { name: /Recall/ })).toBeNull()
    const worth = within(screen.getByRole('region', { name: 'What its predictions are worth' }))
    expect(worth.getByRole('columnheader', { name: 'Found (sensitivity, recall)' })).toBeVisible()
    expect(worth.getByRole('row', { name: /^ill/ })).toHaveTextContent('0.800 (0.700 – 0.880)')
  })

  it('tells a threshold that is one for all classes once', async () => {
    const figures = [{ name: 'sensitivity' as const, value: 0.8, interval: null }]
    const ill = { class: 'ill', threshold: 0.173, basis: 'validation' as const, cases: 14, figures }
    show(makeEvidence({ decisions: [ill, { ...ill, class: 'well' }] }))
    expect(await screen.findByText(/^All classes are named from 17\.3% on\. Training chose/)).toBeVisible()
    expect(screen.queryByRole('columnheader', { name: 'Named from' })).toBeNull()
  })

  it('says what a threshold finds and what it costs, and follows when it is moved', async () => {
    show(makeEvidence())
    const handle = await screen.findByRole('slider')
    expect(screen.getByText('Of the images that are “ill”, 80% are found (sensitivity).')).toBeVisible()
    fireEvent.keyDown(handle, { key: 'Home', keyCode: 36 })
    expect(screen.getByText('Of the images that are “ill”, 100% are found (sensitivity).')).toBeVisible()
    fireEvent.keyDown(handle, { key: 'End', keyCode: 35 })
    expect(screen.getByText('It never predicts “ill” at this threshold.')).toBeVisible()
  })

  it('warns of percentages that promise more than they keep', async () => {
    show(makeEvidence())
    expect(await screen.findByText(/Do not take its percentages at their word/)).toBeVisible()
    expect(screen.getByRole('row', { name: /90% – 100%/ })).toHaveTextContent('70%120')
  })

  it('tells how far outlines lie apart, and in how many pictures that could be measured', async () => {
    const surfaces: Evidence['surfaces'] = [
      { class: 'ill', measured: 170, mean: 2.34, median: 1.5, interval: [1.9, 2.8] },
    ]
    show(makeEvidence({ curves: [], calibration: null, surfaces }))
    const table = within(await screen.findByRole('region', { name: 'How far the outlines lie apart' }))
    expect(table.getByRole('row', { name: /ill/ })).toHaveTextContent('2.31.9 – 2.81.5170 of 180')
  })
})

describe('the evidence of found boxes', () => {
  const detections: Evidence['detections'] = [
    {
      class: 'cell',
      boxes: 40,
      found: 52,
      averagePrecision: 0.91,
      points: [
        { threshold: 0.9, recall: 0.5, precision: 1, shown: 20 },
        { threshold: 0.3, recall: 0.95, precision: 0.8, shown: 48 },
      ],
    },
    { class: 'mitosis', boxes: 3, found: 0, averagePrecision: 0, points: [] },
  ]

  it('says what a threshold finds, and draws precision over recall', async () => {
    show(makeEvidence({ curves: [], calibration: null, detections }), 'detection')
    expect(await screen.findByText('Of the 40 true boxes of “cell”, 50% are found.')).toBeVisible()
    expect(screen.getByText('Of the boxes that it shows as “cell”, 100% are right.')).toBeVisible()
    fireEvent.keyDown(screen.getByRole('slider'), { key: 'Home', keyCode: 36 })
    expect(screen.getByText('Of the 40 true boxes of “cell”, 95% are found.')).toBeVisible()
    expect(screen.getByRole('img', { name: 'Found and right, average precision 0.910' })).toBeVisible()
  })

  it('counts at the slider’s threshold what is shown, and not every candidate', async () => {
    show(makeEvidence({ curves: [], calibration: null, detections }), 'detection')
    const table = within(await screen.findByRole('region', { name: 'Results by class' }))
    expect(table.getByRole('row', { name: /^cell/ })).toHaveTextContent('cell40200.910')
    expect(table.getByRole('row', { name: /^mitosis/ })).toHaveTextContent('mitosis300.000')
    fireEvent.keyDown(screen.getByRole('slider'), { key: 'Home', keyCode: 36 })
    expect(table.getByRole('row', { name: /^cell/ })).toHaveTextContent('cell40480.910')
  })

  it('has at the chosen threshold the figures of the table above it, whichever points the curve keeps', async () => {
    const figures = [
      { name: 'sensitivity' as const, value: 152 / 213, interval: null },
      { name: 'ppv' as const, value: 152 / 337, interval: null },
    ]
    const decisions: Evidence['decisions'] = [
      { class: 'RBC', threshold: 0.1734, basis: 'validation', cases: 50, figures },
    ]
    // A test of before kept the points beside it alone.
    const points = [
      { threshold: 0.175, recall: 151 / 213, precision: 151 / 332, shown: null },
      { threshold: 0.16, recall: 155 / 213, precision: 155 / 360, shown: null },
    ]
    const curve = { class: 'RBC', boxes: 213, found: 1833, averagePrecision: 0.6, points }
    show(makeEvidence({ curves: [], calibration: null, detections: [curve], decisions }), 'detection')
    expect(await screen.findByText('Boxes count from 17.3% on')).toBeVisible()
    expect(screen.getByText('Of the 213 true boxes of “RBC”, 71.4% are found.')).toBeVisible()
    expect(screen.getByText('Of the boxes that it shows as “RBC”, 45.1% are right.')).toBeVisible()
    const table = within(screen.getByRole('region', { name: 'Results by class' }))
    expect(table.getByRole('row', { name: /^RBC/ })).toHaveTextContent('RBC2133370.600')
  })

  it('says so where a class was never framed', async () => {
    show(makeEvidence({ curves: [], calibration: null, detections: detections.slice(1) }), 'detection')
    expect(await screen.findByText('It finds no “mitosis” in any image.')).toBeVisible()
  })
})

describe('the evidence of a restoration', () => {
  const gain = { metric: 'psnr', mean: 31.5, baseline: 29.25, worse: 4 } as const

  it.each([
    [[1.5, 3], 'no accident'],
    [[-0.5, 3], 'may be an accident'],
    [[-3, -1], 'makes images worse'],
  ] as [[number, number], string][])('judges a gain of %j', async (interval, text) => {
    const gains = [{ ...gain, interval }]
    show(makeEvidence({ curves: [], calibration: null, gains }), 'super_resolution')
    const panel = await screen.findByRole('region', { name: /gains over plain enlargement/ })
    expect(within(panel).getByRole('row', { name: /^Plain enlargement/ })).toHaveTextContent('29.25 dB')
    expect(within(panel).getByRole('row', { name: /^Difference/ })).toHaveTextContent('+2.25 dB')
    expect(within(panel).getByRole('row', { name: /^Made worse/ })).toHaveTextContent('4 of 180')
    expect(screen.getByText(new RegExp(text))).toBeVisible()
  })
})

describe('a threshold', () => {
  it.each([
    [1, 0, null],
    [0.9, 0.5, 1],
    [0.61, 0.5, 1],
    [0.6, 0.8, 0.94],
    [0, 1, 0.71],
  ])('of %d finds %d', (threshold, sensitivity, precision) => {
    expect(atThreshold({ points }, threshold)).toMatchObject({ sensitivity, precision })
  })
})

describe('the figures of outlines', () => {
  const run = makeDone({
    ...{
      kind: 'test',
      task: 'segmentation',
      classes: ['background', 'nucleus'],
      confusion: null,
      perClass: [],
    },
  })
  const evidence = makeEvidence({ intervals: { dice: [0.85, 0.94] }, perClass: [], curves: [] })
  const table = async (metrics: LearnedRun['metrics']) => {
    renderPart(<IntervalTable run={{ ...run, metrics }} evidence={evidence} hasClasses={false} />)
    return [...(await screen.findByRole('table')).querySelectorAll('tr')].map((row) =>
      [...row.children].map(({ textContent }) => textContent),
    )
  }

  it('stand side by side as the mean over the images and over all their points', async () => {
    const both = { dice: 0.9, pooledDice: 0.8, meanIou: 0.83, iou: 0.67, loss: 0.1 }
    const others = { meanSensitivity: 0.91, sensitivity: 0.81, meanSpecificity: 0.99, specificity: 0.98 }
    expect(await table({ ...both, ...others })).toEqual([
      ['Figure', 'Mean over the images', '95 % range', 'All points of all images together'],
      ['All images'],
      ['Dice', '0.900', '0.850 – 0.940', '0.800'],
      ['IoU', '0.830', '', '0.670'],
      ['Sensitivity', '0.910', '', '0.810'],
      ['Specificity', '0.990', '', '0.980'],
      ['Loss', '0.100', '', ''],
    ])
  })

  it('of tests from before keep their one value, with what it is a mean of', async () => {
    expect(await table({ dice: 0.9, iou: 0.67, loss: 0.1 })).toEqual([
      ['Figure', 'Value', '95 % range'],
      ['All images'],
      ['Dice, mean over the images', '0.900', '0.850 – 0.940'],
      ['IoU, all points of all images together', '0.670', ''],
      ['Loss', '0.100', ''],
    ])
  })
})
