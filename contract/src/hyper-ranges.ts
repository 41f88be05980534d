/** Choices and ranges of the hyperparameters, free of schemas so that the browser's forms can carry them. */
export const optimizers = ['adamw', 'adam', 'sgd', 'rmsprop'] as const
export const schedulers = ['constant', 'step', 'exponential', 'cosine', 'onecycle', 'plateau'] as const
export const criteria = {
  classification: ['cross_entropy', 'focal'],
  segmentation: ['ce_dice', 'dice', 'cross_entropy', 'focal'],
} as const

/** Smallest and largest value, both allowed. */
export const hyperRanges = {
  learningRate: { min: 1e-7, max: 1 },
  decayInterval: { min: 1, max: 1000 },
  decayRatio: { min: 0.01, max: 1 },
  epochs: { min: 1, max: 2000 },
  validationInterval: { min: 1, max: 2000 },
  batchSize: { min: 1, max: 1024 },
  numClass: { min: 2, max: 1000 },
  weightDecay: { min: 0, max: 1 },
  imageSize: { min: 8, max: 4096 },
  patience: { min: 0, max: 2000 },
  seed: { min: 0, max: 2 ** 31 - 1 },
  /** One side of the hold-out ratio `train`:`test`. */
  ratio: { min: 1, max: 9 },
  splits: { min: 5, max: 10 },
} as const
