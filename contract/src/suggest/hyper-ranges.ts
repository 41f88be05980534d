/** Choices and ranges of the hyperparameters, free of schemas so that the browser's forms can carry them. */
import type { Task } from '../task.ts'

export const optimizers = ['adamw', 'adam', 'sgd', 'rmsprop'] as const
export const schedulers = ['constant', 'step', 'exponential', 'cosine', 'onecycle', 'plateau'] as const
export const criteria = {
  classification: ['cross_entropy', 'focal'],
  multilabel: ['bce', 'focal'],
  segmentation: ['ce_dice', 'dice', 'tversky', 'cross_entropy', 'focal'],
  volume_segmentation: ['ce_dice', 'dice', 'tversky', 'cross_entropy', 'focal'],
  /** What the network's own way of finding objects asks for: of its centres, classes and boxes together. */
  detection: ['boxes'],
  super_resolution: ['l1', 'charbonnier', 'mse', 'l1_ssim'],
  denoising: ['l1', 'charbonnier', 'mse', 'l1_ssim'],
} as const satisfies Record<Task, readonly string[]>

/** Smallest and largest value, both allowed. */
export const hyperRanges = {
  learningRate: { min: 1e-7, max: 1 },
  decayInterval: { min: 1, max: 1000 },
  decayRatio: { min: 0.01, max: 1 },
  epochs: { min: 1, max: 2000 },
  validationInterval: { min: 1, max: 2000 },
  batchSize: { min: 1, max: 1024 },
  numClass: { min: 1, max: 1000 },
  labelSmoothing: { min: 0, max: 0.5 },
  weightDecay: { min: 0, max: 1 },
  imageSize: { min: 8, max: 4096 },
  depth: { min: 1, max: 512 },
  patience: { min: 0, max: 2000 },
  seed: { min: 0, max: 2 ** 31 - 1 },
  /** One side of the hold-out ratio `train`:`test`. */
  ratio: { min: 1, max: 9 },
  splits: { min: 5, max: 10 },
} as const
