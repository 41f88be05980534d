/** What is particular to a task in the choice of settings. The numbers were measured on real sets. */

import type { Task } from '../task.ts'
import type { Hyper } from './hyper.ts'

export type Effort = {
  /** Steps that bring a network of the task to its level, and the highest learning rate on the way. */
  steps: number
  rate: number
  batch: number
  /** The time that nobody minds waiting, on the device at hand. */
  seconds: number
  /** Epochs. */
  fewest: number
  most: number
  criterion: Hyper['criterion']
  weightDecay: number
  labelSmoothing?: number
  /** How often an epoch shows each item, at another place each time; the engine's `DRAWS` in `tasks/task.py`. Without, once. */
  draws?: number
}

export const effort: Record<Task, Effort> = {
  classification: {
    ...{ steps: 1000, rate: 0.002, batch: 32, seconds: 480, fewest: 4, most: 100 },
    ...{ criterion: 'cross_entropy', labelSmoothing: 0.1, weightDecay: 0.05 },
  },
  multilabel: {
    ...{ steps: 1000, rate: 0.002, batch: 32, seconds: 480, fewest: 4, most: 100 },
    ...{ criterion: 'bce', weightDecay: 0.01 },
  },
  // 800 steps bring the small U-Net to a Dice of 0.875 on 126 pictures of nuclei, 1,600 to 0.884.
  segmentation: {
    ...{ steps: 1600, rate: 0.003, batch: 8, seconds: 540, fewest: 8, most: 150 },
    ...{ criterion: 'ce_dice', weightDecay: 0.01 },
  },
  // 420 steps bring the small 3D U-Net to a Dice of 0.87 on 40 hippocampi; larger data vary more.
  volume_segmentation: {
    ...{ steps: 700, rate: 0.003, batch: 2, seconds: 600, fewest: 8, most: 200 },
    ...{ criterion: 'ce_dice', weightDecay: 0.01 },
  },
  // Blood cells (205 pictures at 320 × 240): mAP@50 of 0.86 on those kept aside after 470 steps; harder things need more.
  detection: {
    ...{ steps: 1500, rate: 0.002, batch: 8, seconds: 660, fewest: 8, most: 150 },
    ...{ criterion: 'boxes', weightDecay: 0.01 },
  },
  // Batches of 8 crops of 24×24 teach more in the same time than 16: 1.95 against 1.49 dB above bicubic on Set5.
  super_resolution: {
    ...{ steps: 4000, rate: 0.002, batch: 8, seconds: 600, fewest: 8, most: 2000 },
    ...{ criterion: 'l1', weightDecay: 0.01, draws: 16 },
  },
  denoising: {
    ...{ steps: 4000, rate: 0.002, batch: 8, seconds: 600, fewest: 8, most: 2000 },
    ...{ criterion: 'l1', weightDecay: 0.01, draws: 16 },
  },
}
