/** Hyperparameters of a training run: schema, ranges and choices. Defaults come from the data, see `suggest.ts`. */
import * as z from 'zod'

export const optimizers = ['adamw', 'adam', 'sgd', 'rmsprop'] as const
export const schedulers = ['constant', 'step', 'exponential', 'cosine', 'onecycle', 'plateau'] as const
export const criteria = {
  classification: ['cross_entropy', 'focal'],
  segmentation: ['ce_dice', 'dice', 'cross_entropy', 'focal'],
} as const

export const hyperSchema = z.object({
  learningRate: z.number().min(1e-7).max(1),
  scheduler: z.enum(schedulers),
  /** Epochs between two decays (step), or epochs without progress (plateau). */
  decayInterval: z.int().min(1).max(1000),
  /** Factor of one decay (step, exponential, plateau). */
  decayRatio: z.number().min(0.01).max(1),
  epochs: z.int().min(1).max(2000),
  /** Epochs between two validations; the last epoch is always validated. */
  validationInterval: z.int().min(1).max(2000),
  batchSize: z.int().min(1).max(1024),
  optimizer: z.enum(optimizers),
  /** Classes that the network tells apart, background included; bound from the data set. */
  numClass: z.int().min(2).max(1000),
  criterion: z.enum(['cross_entropy', 'focal', 'ce_dice', 'dice']),
  weightDecay: z.number().min(0).max(1),
  /** Height and width that images are brought to (classification) or cropped to in training (segmentation). */
  imageSize: z.tuple([z.int().min(8).max(4096), z.int().min(8).max(4096)]),
  /** Random flips, turns and brightness during training. */
  augment: z.boolean(),
  /** Weigh rare classes up. */
  classWeights: z.boolean(),
  /** Validations without progress before training ends early; 0 = never. */
  patience: z.int().min(0).max(2000),
  seed: z
    .int()
    .min(0)
    .max(2 ** 31 - 1),
})
export type Hyper = z.infer<typeof hyperSchema>

/**
 * How data is parted. Hold-out: `train`:`test`, default 4:1. K-fold: `splits` parts, each once the test side; the
 * result is the mean over folds and the kept weights are the best fold's. In both, a part of the training side is
 * taken for validation (choosing the best epoch), so a test side is never looked at before testing.
 */
export const validationSchema = z.discriminatedUnion('method', [
  z.object({
    method: z.literal('holdout'),
    train: z.int().min(1).max(9),
    test: z.int().min(1).max(9),
    seed: z
      .int()
      .min(0)
      .max(2 ** 31 - 1),
  }),
  z.object({
    method: z.literal('kfold'),
    splits: z.int().min(5).max(10),
    seed: z
      .int()
      .min(0)
      .max(2 ** 31 - 1),
  }),
])
export type Validation = z.infer<typeof validationSchema>
