/** What training needs of the device's memory, by the same rule as a run's start. Pure. */

import { BASE_BYTES, largestBatch, trainingMemory } from '@neuroloom/contract/network/resolve/memory'
import type { Plan } from '@neuroloom/contract/network/resolve/plan'
import type { optimizers } from '@neuroloom/contract/suggest/hyper-ranges'
import { hyperRanges } from '@neuroloom/contract/suggest/hyper-ranges'
import { effort } from '@neuroloom/contract/suggest/suggest-task'
import { networkTask, tasks } from '@neuroloom/contract/task'

export interface BatchSettings {
  batchSize: number
  optimizer: (typeof optimizers)[number]
}

export interface MemoryNeed {
  /** The program itself; weights with gradients and optimizer; one picture more. */
  baseBytes: number
  fixedBytes: number
  sampleBytes: number
  totalBytes: number
  /** null: nobody has told yet. */
  deviceBytes: number | null
  largestBatch: number | null
  isTooMuch: boolean
}

/** What a run would begin with; `task` of a data set or of a network's document, of which some cannot be trained. */
export function firstSettings(task: string): BatchSettings {
  const known = tasks.find((one) => one === task) ?? tasks.find((one) => networkTask[one] === task)
  return { batchSize: effort[known ?? 'segmentation'].batch, optimizer: 'adamw' }
}

export function memoryNeed(plan: Plan, settings: BatchSettings, deviceBytes: number | null): MemoryNeed {
  const { fixedBytes, sampleBytes, totalBytes: training } = trainingMemory(plan, settings)
  const totalBytes = BASE_BYTES + training
  const most = hyperRanges.batchSize.max
  return {
    baseBytes: BASE_BYTES,
    fixedBytes,
    sampleBytes,
    totalBytes,
    deviceBytes,
    largestBatch:
      deviceBytes === null
        ? null
        : Math.min(
            most,
            largestBatch(plan, { optimizer: settings.optimizer, freeBytes: deviceBytes - BASE_BYTES }),
          ),
    isTooMuch: deviceBytes !== null && totalBytes > deviceBytes,
  }
}
