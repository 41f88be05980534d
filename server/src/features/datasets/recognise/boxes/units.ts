/** What the four numbers of boxes are, where a whole set of them shows that they are not what its format says. */
import type { Box } from '@neuroloom/contract/engine'
import type { Boxed, BoxedItem, ToldBox } from '../shapes.ts'

type Sides = Pick<Box, 'x0' | 'y0' | 'x1' | 'y1'>

/** Fewer boxes than this cannot tell by their numbers alone. */
const TELLING = 5
/** Shares are rounded, and boxes drawn a little over the edge. */
const OVER = 0.05

/**
 * Formats that count in pixels, written in shares of the image: then all boxes would lie within the first pixel of each
 * image, and there is no such thing to be seen.
 */
export function inTheirUnit(boxed: Boxed): Boxed {
  const all = boxed.items.flatMap(({ unit, boxes }) => (unit === 'pixels' ? boxes : []))
  const areShares =
    all.length > 0 && all.every(isNearOne) && all.some((box) => sidesOf(box).some((side) => side % 1 !== 0))
  if (!areShares) return boxed
  // A corner and two sides that reach over the edge were two corners.
  const told = all.map(({ x0, y0, x1, y1 }) => ({ x0, y0, x1: x1 - x0, y1: y1 - y0 }))
  const areCorners =
    !all.every(isWithinOne) && told.every((box) => box.x1 > box.x0 && box.y1 > box.y0 && isWithinOne(box))
  if (!areCorners && !all.every(isWithinOne)) return boxed
  const read = (box: ToldBox): ToldBox =>
    areCorners ? { ...box, x1: box.x1 - box.x0, y1: box.y1 - box.y0 } : box
  const items = boxed.items.map(
    (item): BoxedItem =>
      item.unit === 'pixels' ? { ...item, unit: 'shares', boxes: item.boxes.map(read) } : item,
  )
  return { ...boxed, items }
}

const isNearOne = (box: Sides): boolean =>
  sidesOf(box).every((side) => side >= -OVER && side <= 2 * (1 + OVER))

const sidesOf = ({ x0, y0, x1, y1 }: Sides): number[] => [x0, y0, x1, y1]

const isWithinOne = (box: Sides): boolean => sidesOf(box).every((side) => side >= -OVER && side <= 1 + OVER)

/**
 * YOLO has the middle of a box and its sides. Where some boxes would reach far over the edge by that, and none does as two
 * corners, they are corners; where none does with the middle taken for the upper left corner, that is what they are.
 */
export function codeOf(boxes: readonly Sides[]): 'middles' | 'corners' | 'corner first' {
  const over = boxes.filter((box) => !isWithinOne(box))
  if (boxes.length < TELLING || over.length === 0) return 'middles'
  const asTold = boxes.map(toldOf)
  if (asTold.every(([x, y, one, other]) => one > x && other > y)) return 'corners'
  const fit = asTold.every(([x, y, width, height]) => x + width <= 1 + OVER && y + height <= 1 + OVER)
  return fit && over.length >= TELLING ? 'corner first' : 'middles'
}

export const asCorners = <Told extends Sides>(box: Told): Told => {
  const [x0, y0, x1, y1] = toldOf(box)
  return { ...box, x0, y0, x1, y1 }
}

/** The numbers of a box that was read as middle and sides. */
const toldOf = ({ x0, y0, x1, y1 }: Sides): [number, number, number, number] => [
  (x0 + x1) / 2,
  (y0 + y1) / 2,
  x1 - x0,
  y1 - y0,
]
