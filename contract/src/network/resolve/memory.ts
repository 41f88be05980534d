/** Estimates what training a plan needs in memory, before it runs; the engine corrects it on its first step. */
import type { Hyper } from '../../suggest/hyper.ts'
import { bytesPerNumber } from '../kept.ts'
import type { Plan, TensorType } from './plan.ts'
import { elementsOf } from './rules.ts'

/** Interpreter, PyTorch and its kernels, measured at 190–260 MB; the engine counts with the same. */
export const BASE_BYTES = 300_000_000

/** Numbers that an optimizer keeps beside each weight (Adam: two moments; SGD: its momentum). */
const stateNumbers: Record<Hyper['optimizer'], number> = { adamw: 2, adam: 2, sgd: 1, rmsprop: 1 }
/** A class number is 64 bits wide in PyTorch. */
const bytesPerLabel = 8

export interface MemoryEstimate {
  /** Weights, their gradients and the optimizer's state, buffers. */
  fixedBytes: number
  /** One sample more in a batch: what backward needs, input, label, and the layer at work. */
  sampleBytes: number
  totalBytes: number
}

/** Single precision; without what the framework itself takes. */
export function trainingMemory(
  plan: Plan,
  { optimizer, batchSize }: { optimizer: Hyper['optimizer']; batchSize: number },
): MemoryEstimate {
  const weights = plan.learn * bytesPerNumber * (2 + stateNumbers[optimizer])
  const fixedBytes = weights + plan.buffers * bytesPerNumber
  const inputs = Object.values(plan.inputs).reduce((sum, type) => sum + bytesPerNumber * elementsOf(type), 0)
  const sampleBytes = plan.keptBytes + inputs + targetBytes(plan) + plan.transientBytes
  return { fixedBytes, sampleBytes, totalBytes: fixedBytes + batchSize * sampleBytes }
}

/** The most samples a batch may have; 0 when not even the weights fit. */
export function largestBatch(
  plan: Plan,
  { optimizer, freeBytes }: { optimizer: Hyper['optimizer']; freeBytes: number },
): number {
  const { fixedBytes, sampleBytes } = trainingMemory(plan, { optimizer, batchSize: 0 })
  return Math.max(0, Math.floor((freeBytes - fixedBytes) / sampleBytes))
}

/** One class number a sample or a pixel; otherwise as much as the output. */
function targetBytes(plan: Plan): number {
  const types = new Map<string, TensorType>(plan.nodes.map((node) => [node.id, node.type]))
  return Object.values(plan.heads).reduce((sum, { task, from }) => {
    const type = types.get(from)
    if (type === undefined) return sum
    if (task === 'classification') return sum + bytesPerLabel
    if (task === 'segmentation') return sum + (bytesPerLabel * elementsOf(type)) / type.c
    return sum + bytesPerNumber * elementsOf(type)
  }, 0)
}
