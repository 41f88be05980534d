import type { FlowSharpened, FlowTrained } from '@neuroloom/contract/flow/sharpen'
import type { FlowSharpener, FlowTraining } from '@neuroloom/contract/flow/sharpen-calls'
import type { CurvePoint, Run } from '@neuroloom/contract/runs'
import { makeFlowRun } from './make-run.ts'

export const asked = { network: 'flow4d_small', flows: 50, epochs: 40, seed: 1 }

export const makeTrainingRun = (changes: Partial<Run> = {}): Run =>
  makeFlowRun({
    ...{ id: 'run-7', kind: 'flow_train', number: 7, network: 'flow4d_small', datasetName: '' },
    ...changes,
  })

const gain = { against: 'cubic', mean: 0.12, low: 0.08, high: 0.16 } as const
export const lost = { against: 'linear', mean: 0.01, low: -0.03, high: 0.05 } as const

export const makeTrained = (changes: Partial<FlowTrained> = {}): FlowTrained => ({
  ...{ v: 1, asked, factor: 2, parts: { train: 30, validation: 10, test: 10 } },
  scores: {
    network: { rmse: 0.0305, vnrmse: 0.031, speedError: 0.042, angle: 3.2 },
    linear: { rmse: 0.0412, vnrmse: 0.043, speedError: 0.071, angle: 5.1 },
    weighted: { rmse: 0.0389, vnrmse: 0.04, speedError: 0.066, angle: 4.8 },
    cubic: { rmse: 0.0347, vnrmse: 0.036, speedError: 0.055, angle: 4.4 },
  },
  ...{ gain, wins: true },
  flows: [
    { kind: 'bend', snr: 12.5, rmse: { network: 0.03, linear: 0.05, weighted: 0.045, cubic: 0.04 } },
    { kind: 'ring', snr: 20, rmse: { network: 0.06, linear: 0.07, weighted: 0.065, cubic: 0.05 } },
  ],
  ...changes,
})

const point = (epoch: number, rmse: number): CurvePoint => ({
  ...{ fold: 0, epoch, split: 'validation' },
  values: { rmse, rmseLinear: 0.0412, rmseWeighted: 0.0389, rmseCubic: 0.0347 },
})

export const makeTraining = (changes: Partial<FlowTraining> = {}): FlowTraining => ({
  run: makeTrainingRun(),
  asked,
  results: makeTrained(),
  curves: [
    { fold: 0, epoch: 1, split: 'train', values: { loss: 0.004 } },
    { fold: 0, epoch: 3, split: 'train', values: { loss: 0.002 } },
    ...[point(1, 0.038), point(2, 0.031), point(3, 0.033)],
  ],
  ...changes,
})

export const makeSharpener = (changes: Partial<FlowSharpener> = {}): FlowSharpener => ({
  ...{ trainingId: 'run-7', number: 7, network: 'flow4d_small', ownNetwork: null },
  ...{ endedAt: '2026-11-20T08:00:00.000Z', factor: 2, kept: 10, wins: true },
  ...{ scores: makeTrained().scores, gain },
  ...changes,
})

export const makeSharpened = (changes: Partial<FlowSharpened> = {}): FlowSharpened => ({
  ...{ trainingId: 'run-7', runId: 'run-1', network: 'flow4d_small', weights: 'c'.repeat(64), factor: 2 },
  gain,
  ...changes,
})
