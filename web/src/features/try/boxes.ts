/** From a detector's raw answer to the boxes that stay, as the engine does it. */

/** In pixels of the picture as it is stored. */
export type FoundBox = { class: number; score: number; x0: number; y0: number; x1: number; y1: number }

/** Of the boxes that are sure enough the surest are looked through; at most so many are an answer. */
const MOST_CANDIDATES = 1000
const MOST_FOUND = 300

type Raw = {
  /** x0, y0, x1, y1 of each cell, in pixels of the network's input. */
  boxes: ArrayLike<number>
  /** Of each cell and class. */
  scores: ArrayLike<number>
  classes: number
  /** From the stored picture to the network's input, of x and y. */
  scale: [number, number]
  size: { width: number; height: number }
  least: number
  mostOverlap: number
}

export function foundBoxes({ boxes, scores, classes, scale, size, least, mostOverlap }: Raw): FoundBox[] {
  const places: number[] = []
  for (let place = 0; place < scores.length; place++) if ((scores[place] ?? 0) > least) places.push(place)
  const score = (place: number): number => scores[place] ?? 0
  places.sort((one, other) => score(other) - score(one) || one - other)
  const inside = (value: number, side: number): number => Math.min(side, Math.max(0, value))
  const candidates = places.slice(0, MOST_CANDIDATES).map((place): FoundBox => {
    const cell = 4 * Math.floor(place / classes)
    const side = (offset: 0 | 1 | 2 | 3): number => {
      const [by, length] = offset % 2 === 0 ? [scale[0], size.width] : [scale[1], size.height]
      return inside((boxes[cell + offset] ?? 0) / by, length)
    }
    return { class: place % classes, score: score(place), x0: side(0), y0: side(1), x1: side(2), y1: side(3) }
  })
  const stays: FoundBox[] = []
  for (const box of candidates.filter(({ x0, y0, x1, y1 }) => x1 > x0 && y1 > y0)) {
    const isHidden = stays.some((surer) => surer.class === box.class && overlap(surer, box) > mostOverlap)
    if (!isHidden) stays.push(box)
  }
  return stays.slice(0, MOST_FOUND)
}

/** Intersection over union. */
export function overlap(one: FoundBox, other: FoundBox): number {
  const width = Math.min(one.x1, other.x1) - Math.max(one.x0, other.x0)
  const height = Math.min(one.y1, other.y1) - Math.max(one.y0, other.y0)
  if (width <= 0 || height <= 0) return 0
  return (width * height) / (area(one) + area(other) - width * height)
}

const area = ({ x0, y0, x1, y1 }: FoundBox): number => (x1 - x0) * (y1 - y0)
