/** What reports are told of three flow runs: a known flow, a study as a clinic sends it, and one moment alone. */
import { startSettings } from '@neuroloom/contract/flow/options'
import {
  type FlowLight,
  type FlowMeasuredSection,
  type FlowRun,
  flowMeasuredSectionSchema,
  flowResultsSchema,
} from '@neuroloom/contract/flow/run'
import { type FlowStudy, flowStudySchema } from '@neuroloom/contract/flow/study'
import type { FlowFacts } from '../src/features/reports/flow/facts.ts'

const hash = (sign: string): string => sign.repeat(64)

const light = (own: Partial<FlowLight> & Pick<FlowLight, 'name'>): FlowLight => ({
  ...{ value: 1, unit: '', good: 2, fair: 3, isMoreBetter: false, colour: 'green', numbers: {}, why: null },
  ...own,
})

const asked: FlowRun = {
  kinds: ['vortex', 'fluidLine'],
  settings: startSettings,
  fitOrder: 1,
  seed: 7,
  corrections: { offset: 1, unwrap: true, turn: null },
  mask: { kind: 'threshold', level: null, grow: [] },
}

const head: FlowStudy = flowStudySchema.parse({
  ...{ v: 1, source: 'phantom', vendor: null, size: [32, 32, 32], frames: 4, spacing: [2, 2, 2] },
  affine: [
    [2, 0, 0, 0],
    [0, 2, 0, 0],
    [0, 0, 2, 0],
  ],
  ...{ isPlaced: false, venc: [1.5, 1.5, 1.5], velocityScale: 1.5 / 8191 },
  directions: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  ...{ times: [0, 0.2, 0.4, 0.6], period: 0.8, gating: 'retrospective', sources: hash('a') },
})

export const section = (
  name: string,
  own: Partial<FlowMeasuredSection['numbers'] & object> = {},
  across = 9,
): FlowMeasuredSection =>
  flowMeasuredSectionSchema.parse({
    ...{ name, centre: [0.03, 0.03, 0.04], normal: [0, 0, 2], region: 'vessel', radius: 0.02, rule: 'exact' },
    numbers: {
      rate: [-5e-6, 8e-5, 3e-4, 4e-5],
      area: [4e-4, 4e-4, 4e-4, 4e-4],
      mean: [-0.0125, 0.2, 0.75, 0.1],
      peak: [0.1, 0.6, 1.234, 0.3],
      p99: [0.1, 0.5, 1.1, 0.3],
      ...{ forward: 84.3e-6, backward: 1.3e-6, net: 83e-6, regurgitantFraction: 0.0154, pulsatility: 2.9 },
      voxelsAcross: light({
        ...{ name: 'voxelsAcross', value: across, unit: 'voxels', good: 6, fair: 5, isMoreBetter: true },
        colour: across >= 6 ? 'green' : 'red',
        numbers: { flowBias: -2 / across ** 2 },
      }),
      ...own,
    },
    refusal: null,
  })

/** A known flow through two planes. */
export function known(): FlowFacts {
  const results = flowResultsSchema.parse({
    v: 1,
    asked,
    study: { sha256: hash('b'), sources: hash('a') },
    still: { voxels: 20_000, share: 0.61 },
    steps: [
      { name: 'offset', isDone: true, before: 0.021, after: 0.0012, numbers: { order: 1, share: 0.61 } },
      { name: 'unwrap', isDone: true, before: 0.013, after: 0.0001, numbers: { changed: 0.04 } },
      { name: 'filter', isDone: false, before: 0.0001, after: 0.0001, numbers: { components: 0 } },
    ],
    directions: {
      ...{ isSure: true, ratio: 1.9 },
      best: { order: [0, 1, 2], signs: [1, 1, 1], score: 0.21 },
      taken: { order: [0, 1, 2], signs: [1, 1, 1], score: 0.21 },
    },
    mask: { kind: 'threshold', level: 0.234, voxels: 3000, volume: 24e-6, pieces: 1 },
    lights: [
      light({ name: 'spacing', value: 2, unit: 'mm', good: 2.5, fair: 3 }),
      light({ name: 'frameGap', value: 200, unit: 'ms', good: 40, fair: 60, colour: 'red' }),
    ],
    speed: { max: [0.1, 0.7, 1.3, 0.4], p99: [0.1, 0.6, 1.2, 0.3], mean: [0.02, 0.2, 0.5, 0.1] },
    energy: [1e-5, 8e-4, 4e-3, 2e-4],
    loss: [1e-5, 3e-4, 1.5e-3, 2e-4],
    vorticity: { window: 5, fitOrder: 1, p99: [10, 80, 190, 40], mean: [3, 30, 70, 12], sigma: 4.2 },
    vortices: { q: [0.3, 0.32, 0.4, 0.3], lambda2: [0.2, 0.25, 0.3, 0.2] },
    lines: { frame: 2, count: 412, meanLength: 0.051, longest: 0.062 },
  })
  return {
    ...{ asked, results, correctedHead: head, isMeasuring: false },
    study: { name: '管道 труба <b>', id: 's', head, sha256: hash('b') },
    sections: [section('Inlet'), section('Outlet', { net: 82e-6 })],
    massBalance: light({
      name: 'massBalance',
      value: 1.2,
      unit: '%',
      good: 10,
      fair: 20,
      numbers: { first: 0, other: 1 },
    }),
    figures: [{ id: 'f', caption: 'Streamlines 流线', sha256: hash('c'), width: 1200, height: 900 }],
    run: {
      ...{ id: 'run1', number: 3, endedAt: new Date('2026-11-26T10:00:00Z') },
      ...{ versions: { python: '3.11', numpy: '1.24' }, computedOn: 'CPU' },
    },
    project: { id: 'p', name: 'Aorta', description: '' },
    statements: {},
    artifacts: [{ kind: 'flow_study', sha256: hash('d') }],
  }
}

/** As a clinic sends it, made finer by a network. */
export function finer(isKnown = false): FlowFacts {
  const facts = isKnown ? known() : clinical()
  const sharpened = {
    ...{ trainingId: 'training1', runId: 'run0', network: 'flow4d_small', weights: hash('e'), factor: 2 },
    ...{ gain: { against: 'cubic', mean: 0.312, low: 0.28, high: 0.344 } as const, isKnown },
  }
  const own: FlowStudy = { ...facts.study.head, source: 'sharpened', sharpened }
  return { ...facts, study: { ...facts.study, head: own } }
}

/** As a clinic sends it: low resolution, a thin vessel, one plane outside, much that could not be told. */
export function clinical(): FlowFacts {
  const facts = known()
  const own: FlowStudy = {
    ...head,
    ...{ source: 'dicom', vendor: 'siemens', isPlaced: true, venc: [1.5, 1.5, 2], gating: 'prospective' },
  }
  const turn = { order: [1, 0, 2], signs: [1, -1, 1] } as const
  const choice: FlowRun = {
    ...{ ...asked, kinds: ['fluidLine'], mask: { kind: 'file', fileId: 'x' } },
    corrections: { offset: null, unwrap: false, turn: { order: [...turn.order], signs: [...turn.signs] } },
  }
  return {
    ...facts,
    asked: choice,
    study: { ...facts.study, head: own },
    results: {
      ...facts.results,
      ...{ asked: choice, steps: [], directions: null, vorticity: null, lines: null },
      mask: { kind: 'file', level: null, voxels: 90, volume: 7.2e-7, pieces: 2 },
      loss: [null, null, null, null],
      lights: [
        light({ name: 'spacing', value: 3.6, unit: 'mm', good: 2.5, fair: 3, colour: 'red' }),
        light({
          name: 'noise',
          value: null,
          good: 10,
          fair: 5,
          isMoreBetter: true,
          colour: 'grey',
          why: 'no_static_tissue',
        }),
        light({ name: 'torn', value: 4.5, unit: '%', good: 0.1, fair: 1, colour: 'red' }),
      ],
    },
    sections: [
      section('Thin', { forward: null, backward: null, net: null, regurgitantFraction: null }, 4),
      { ...section('Outside'), numbers: null, refusal: 'centre_outside_mask' },
      section('Thin', {
        voxelsAcross: light({
          name: 'voxelsAcross',
          value: null,
          unit: 'voxels',
          colour: 'grey',
          why: 'odd',
        }),
      }),
    ],
    massBalance: light({ name: 'massBalance', value: 34, unit: '%', good: 10, fair: 20, colour: 'red' }),
  }
}

/** One moment, of which nobody knows how long a beat is. */
export function single(): FlowFacts {
  const facts = known()
  const own: FlowStudy = { ...head, source: 'hdf5', frames: 1, times: [0], period: null, gating: 'unknown' }
  const none = { forward: null, backward: null, net: null, regurgitantFraction: null, pulsatility: null }
  const one = { rate: [1e-4], area: [4e-4], mean: [0.25], peak: [0.9], p99: [0.8] }
  return {
    ...facts,
    study: { ...facts.study, head: own },
    results: {
      ...facts.results,
      speed: { max: [0.9], p99: [0.8], mean: [0.2] },
      ...{ energy: [1e-3], loss: [2e-4], vortices: { q: [null], lambda2: [0.2] } },
      vorticity: { window: 7, fitOrder: 3, p99: [60], mean: [20], sigma: null },
      lines: { frame: 0, count: 0, meanLength: null, longest: null },
    },
    sections: [section('Only', { ...none, ...one })],
    massBalance: null,
    figures: [],
  }
}
