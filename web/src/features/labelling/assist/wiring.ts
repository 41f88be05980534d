/** The live wire beside the page: one picture and one anchor at a time, so that each path finds most of its way done. */
import { startWire, type Wire, wireTo } from './live-wire.ts'
import { type Colour, greyOf, type Point } from './plane.ts'
import { type WireCosts, wireCosts } from './wire-costs.ts'

/** `plane` null: the picture of the last call. */
type Asked = { plane: Colour | null; anchor: Point; pointer: Point }

/** Answers x, y, x, y … of the pixels from the anchor to the pointer. */
export function makeWiring(): (asked: Asked) => { values: Int32Array } {
  let costs: WireCosts | null = null
  let wire: (Wire & { from: Point }) | null = null
  return ({ plane, anchor, pointer }) => {
    if (plane) {
      const { width, height } = plane
      costs = wireCosts(greyOf(plane), { left: 0, top: 0, right: width - 1, bottom: height - 1 })
      wire = null
    }
    if (!costs) throw new Error('there is no picture to look at')
    if (wire?.from.x !== anchor.x || wire.from.y !== anchor.y)
      wire = { ...startWire(costs, anchor), from: anchor }
    return { values: Int32Array.from(wireTo(wire, pointer).flatMap(({ x, y }) => [x, y])) }
  }
}
