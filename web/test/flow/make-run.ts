import { startSettings } from '@neuroloom/contract/flow/options'
import type { FlowLight, FlowMeasuredSection, FlowResults, FlowRun } from '@neuroloom/contract/flow/run'
import type { FlowRunDetail } from '@neuroloom/contract/flow/run-calls'
import type { Run } from '@neuroloom/contract/runs'
import { makeRun } from '../runs/runs-make.ts'
import { makeHead } from './make-study.ts'

export const makeFlowRun = (changes: Partial<Run> = {}): Run => ({
  ...makeRun(),
  ...{ kind: 'flow', task: 'flow', network: '', datasetId: null, datasetName: 'Aorta 12', classes: [] },
  ...{ hyper: null, validation: null, parameters: null, state: 'done', phase: null },
  ...changes,
})

export const makeAsked = (changes: Partial<FlowRun> = {}): FlowRun => ({
  ...{ kinds: ['vortex', 'fluidLine'], settings: startSettings, fitOrder: 1, seed: 1 },
  corrections: { offset: null, unwrap: true, turn: null },
  mask: { kind: 'threshold', level: null, grow: [] },
  ...changes,
})

export const makeLight = (changes: Partial<FlowLight> = {}): FlowLight => ({
  ...{ name: 'spacing', value: 2.3, unit: 'mm', good: 2.5, fair: 3, isMoreBetter: false },
  ...{ colour: 'green', numbers: {}, why: null },
  ...changes,
})

const recorded = { order: [0, 1, 2], signs: [1, 1, 1], score: 0.1 } satisfies NonNullable<
  FlowResults['directions']
>['taken']

export const makeResults = (changes: Partial<FlowResults> = {}): FlowResults => ({
  v: 1,
  asked: makeAsked(),
  study: { sha256: 'a', sources: 'b' },
  still: { voxels: 1000, share: 0.4 },
  steps: [
    { name: 'offset', isDone: false, before: null, after: null, numbers: {} },
    { name: 'unwrap', isDone: true, before: 0.012, after: 0.0004, numbers: { changed: 0.03 } },
    { name: 'filter', isDone: false, before: null, after: null, numbers: {} },
  ],
  directions: { isSure: true, ratio: 2, best: recorded, taken: recorded },
  mask: { kind: 'threshold', level: 0.12, voxels: 4000, volume: 4.52e-5, pieces: 1 },
  lights: [makeLight()],
  speed: { max: [0.5, 1.6, 0.7], p99: [0.4, 1.4, 0.6], mean: [0.2, 0.8, 0.3] },
  energy: [0.001, 0.012, 0.003],
  loss: [0.0002, 0.0031, 0.0004],
  vorticity: { window: 5, fitOrder: 1, p99: [80, 190, 90], mean: [20, 60, 30], sigma: 12 },
  vortices: { q: [0.1, 0.3, 0.2], lambda2: [0.1, 0.28, 0.2] },
  lines: { frame: 1, count: 420, meanLength: 0.05, longest: 0.11 },
  ...changes,
})

export function makeSection(name: string, net: number | null, changes: Partial<FlowMeasuredSection> = {}) {
  const section: FlowMeasuredSection = {
    ...{ name, centre: [0, 0, 0], normal: [0, 0, 1], region: 'vessel', radius: 0.01, rule: 'exact' },
    numbers: {
      ...{ rate: [0, 1e-4, 0], area: [4e-4, 4e-4, 4e-4], mean: [0, 0.25, 0], peak: [0.1, 1.5, 0.2] },
      ...{ p99: [0.1, 1.4, 0.2], forward: net, backward: 0, net, regurgitantFraction: 0.02, pulsatility: 3 },
      voxelsAcross: makeLight({
        ...{ name: 'voxelsAcross', value: 8.2, unit: 'voxels', good: 6, fair: 5, isMoreBetter: true },
        numbers: { flowBias: -0.03 },
      }),
    },
    refusal: null,
    ...changes,
  }
  return section
}

export const makeRunDetail = (changes: Partial<FlowRunDetail> = {}): FlowRunDetail => ({
  run: makeFlowRun(),
  asked: makeAsked(),
  results: makeResults(),
  study: { name: 'Aorta 12', id: 'study-1', head: makeHead() },
  ...{ values: null, mask: null, derived: null, before: null },
  ...{ sections: [], isMeasuring: false, massBalance: null, figures: [] },
  ...changes,
})
