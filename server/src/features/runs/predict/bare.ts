/** What stands in the row of a run whose network is told nothing of. */
import type { Hyper, Validation } from '@neuroloom/contract/suggest/hyper'
import { criteria, hyperRanges as ranges } from '@neuroloom/contract/suggest/hyper-ranges'
import type { Applied } from '../applied.ts'

export const unsaid: Validation = { method: 'holdout', train: 4, test: 1, seed: 0 }

/** What the network needs to be fed; how it was trained is its owner's to tell. */
export const bare = ({ task, hyper: { mixedPrecision, ...hyper } }: Applied): Hyper => ({
  batchSize: hyper.batchSize,
  imageSize: hyper.imageSize,
  depth: hyper.depth,
  numClass: hyper.numClass,
  ...(mixedPrecision === undefined ? {} : { mixedPrecision }),
  criterion: criteria[task][0],
  ...{ optimizer: 'adam', scheduler: 'constant', augment: false, classWeights: false },
  learningRate: ranges.learningRate.min,
  decayInterval: ranges.decayInterval.min,
  decayRatio: ranges.decayRatio.min,
  epochs: ranges.epochs.min,
  validationInterval: ranges.validationInterval.min,
  weightDecay: ranges.weightDecay.min,
  patience: ranges.patience.min,
  seed: ranges.seed.min,
})
