import { render } from '@testing-library/react'
import type uPlot from 'uplot'
import { beforeEach, expect, test, vi } from 'vitest'
import { CurveChart } from '../../src/features/runs/results/curve-chart.tsx'

/** The charts that were drawn, with their scales. */
const { plots } = vi.hoisted(() => ({ plots: [] as uPlot[] }))

vi.mock('uplot', async (original) => {
  const { default: Plot } = await original<{ default: typeof uPlot }>()
  return {
    default: class extends Plot {
      constructor(...args: ConstructorParameters<typeof uPlot>) {
        super(...args)
        plots.push(this)
      }
    },
  }
})

/** Draws nothing: happy-dom has no surface. */
class Surface {
  measureText = () => ({ width: 8 })
}

beforeEach(() => {
  plots.length = 0
  const nothing = new Proxy(new Surface(), {
    get: (surface, name) => Reflect.get(surface, name) ?? (() => undefined),
    set: () => true,
  })
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(nothing as never)
  vi.stubGlobal(
    'Path2D',
    class {
      moveTo() {}
      lineTo() {}
      rect() {}
      arc() {}
      closePath() {}
    },
  )
})

function chartOf(losses: number[], best: number | null) {
  return (
    <CurveChart
      epochs={losses.map((_, index) => index + 1)}
      lines={[{ label: 'Validation', color: '--nl-primary', dashed: false, values: losses }]}
      name="loss"
      link="one"
      axisName="Epoch"
      best={best}
      formatTicks={(ticks) => ticks.map(String)}
      onHover={() => {}}
    />
  )
}

test('shows every epoch, also when more of them and another best one are told at once', async () => {
  const { rerender } = render(chartOf([9], 1))
  await vi.waitFor(() => expect(plots[0]?.scales.x?.max).toBeGreaterThanOrEqual(1))
  rerender(chartOf([9, 3, 2, 1, 2], 4))
  await vi.waitFor(() => expect(plots[0]?.scales).toMatchObject({ x: { min: 1, max: 5 } }))
  expect(plots[0]?.scales.y?.max).toBeGreaterThan(9)
  expect(plots).toHaveLength(1)
})
