/** Weighs what a line of blobs looks like: a small network whose numbers `bench/burned-in/learn.py` learned. */
import { layers } from './weights.ts'

type Layer = { width: number; weights: Float32Array; bias: Float32Array }

const numbers = (text: string): Float32Array => Float32Array.from(text.split(' '), Number)
const read: Layer[] = layers.map(({ weights, bias }) => {
  const own = numbers(bias)
  const all = numbers(weights)
  return { width: all.length / own.length, weights: all, bias: own }
})

/** The logarithm of the odds that it is text. */
export function weigh(features: readonly number[]): number {
  let values = Float32Array.from(features, (value) => Math.max(-MOST, Math.min(MOST, value)))
  for (const [index, { width, weights, bias }] of read.entries()) {
    const next = new Float32Array(bias.length)
    for (const [unit, own] of bias.entries()) {
      let sum = own
      for (let at = 0; at < width; at += 1) sum += (weights[unit * width + at] ?? 0) * (values[at] ?? 0)
      next[unit] = index < read.length - 1 ? Math.max(0, sum) : sum
    }
    values = next
  }
  return values[0] ?? 0
}

/** As at learning. */
const MOST = 6
