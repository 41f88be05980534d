/** Seeds of a single segment have nothing to meet: then what lies at the picture's rim stands for all that is none of it. */
import type { Plane } from './plane.ts'

/** No segment has it. */
export const RIM = 65_534

export function withRim({ width, height, values }: Plane<Uint16Array>): Uint16Array {
  const first = values.find((segment) => segment !== 0)
  if (first === undefined || values.some((segment) => segment !== 0 && segment !== first)) return values
  const rimmed = values.slice()
  const set = (at: number) => {
    if (rimmed[at] === 0) rimmed[at] = RIM
  }
  for (let x = 0; x < width; x++) {
    set(x)
    set((height - 1) * width + x)
  }
  for (let y = 0; y < height; y++) {
    set(y * width)
    set((y + 1) * width - 1)
  }
  return rimmed
}
