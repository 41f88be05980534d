/** Hyperparameters of a training run: schema. Ranges and choices: `hyper-ranges.ts`. Defaults come from the data, see `suggest.ts`. */
import * as z from 'zod'
import { optimizers, hyperRanges as ranges, schedulers } from './hyper-ranges.ts'

export { criteria, optimizers, schedulers } from './hyper-ranges.ts'

type Range = { min: number; max: number }
const whole = ({ min, max }: Range) => z.int().min(min).max(max)
const number = ({ min, max }: Range) => z.number().min(min).max(max)

export const hyperSchema = z.object({
  learningRate: number(ranges.learningRate),
  scheduler: z.enum(schedulers),
  /** Epochs between two decays (step), or epochs without progress (plateau). */
  decayInterval: whole(ranges.decayInterval),
  /** Factor of one decay (step, exponential, plateau). */
  decayRatio: number(ranges.decayRatio),
  epochs: whole(ranges.epochs),
  /** Epochs between two validations; the last epoch is always validated. */
  validationInterval: whole(ranges.validationInterval),
  batchSize: whole(ranges.batchSize),
  optimizer: z.enum(optimizers),
  /** Classes that the network tells apart (segmentation: background included); bound from the data set, 1 without classes. */
  numClass: whole(ranges.numClass),
  criterion: z.enum([
    'cross_entropy',
    'focal',
    'bce',
    'ce_dice',
    'dice',
    'tversky',
    'boxes',
    'l1',
    'charbonnier',
    'mse',
    'l1_ssim',
  ]),
  /** Share of each label that goes to all classes alike (cross-entropy of a classification); left out elsewhere. */
  labelSmoothing: number(ranges.labelSmoothing).optional(),
  weightDecay: number(ranges.weightDecay),
  /**
   * Height and width that images are brought to (classification, multi-label, detection) or cropped to in training
   * (segmentation, volumes, denoising; super-resolution: crops of the small image).
   */
  imageSize: z.tuple([whole(ranges.imageSize), whole(ranges.imageSize)]),
  /** Slices of a crop of a volume; 1 for images. */
  depth: whole(ranges.depth),
  /** Random flips, turns and brightness during training. */
  augment: z.boolean(),
  /** Weigh rare classes up. */
  classWeights: z.boolean(),
  /** Layers in 16 bits, weights and losses in 32; left out where the device gains nothing by it. */
  mixedPrecision: z.boolean().optional(),
  /** Validations without progress before training ends early; 0 = never. */
  patience: whole(ranges.patience),
  seed: whole(ranges.seed),
})
export type Hyper = z.infer<typeof hyperSchema>

/**
 * How the data are split. Hold-out: `train`:`test`, default 4:1. K-fold: `splits` parts, each once the test side; the
 * result is the mean over folds and the kept weights are the best fold's. In both, a part of the training side is
 * taken for validation (choosing the best epoch), so a test side is never looked at before testing. Given: as the data
 * set itself says (lists or folders named train, val, test); where it names no validation part, some of train is taken.
 */
export const validationSchema = z.discriminatedUnion('method', [
  z.object({
    method: z.literal('holdout'),
    train: whole(ranges.ratio),
    test: whole(ranges.ratio),
    seed: whole(ranges.seed),
  }),
  z.object({ method: z.literal('kfold'), splits: whole(ranges.splits), seed: whole(ranges.seed) }),
  z.object({ method: z.literal('given'), seed: whole(ranges.seed) }),
])
export type Validation = z.infer<typeof validationSchema>
