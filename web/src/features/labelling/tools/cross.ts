/** The other planes show where one presses. */
import type { Tool } from './tool.ts'

export const cross = (): Tool => ({
  cursor: 'crosshair',
  down: (bench, at) => bench.lookAt(at),
  drag(bench, points) {
    const at = points.at(-1)
    if (at) bench.lookAt(at)
  },
})
