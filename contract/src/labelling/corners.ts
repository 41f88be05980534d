/** Boxes as corners, for all that draws, measures or writes them. Without schemas: editors load it too. */
import type { Corner } from './outline.ts'
import type { Shape } from './things.ts'

export type Box = Extract<Shape, { kind: 'box' }>

/** Upper left, upper right, lower right, lower left, as if the box stood straight: clockwise on the screen. */
export function cornersOf({ x, y, width, height, angle }: Box): [Corner, Corner, Corner, Corner] {
  const [right, down] = [x + width, y + height]
  if (angle === 0) return [[x, y], [right, y], [right, down], [x, down]] // biome-ignore format: a ring
  const [middleX, middleY, turn] = [x + width / 2, y + height / 2, (angle * Math.PI) / 180]
  const [sine, cosine] = [Math.sin(turn), Math.cos(turn)]
  const turned = (across: number, along: number): Corner => [
    middleX + (across * cosine - along * sine),
    middleY + (across * sine + along * cosine),
  ]
  const [a, b] = [width / 2, height / 2]
  return [turned(-a, -b), turned(a, -b), turned(a, b), turned(-a, b)]
}

/** Each ring or line of a shape as x, y, x, y …; boxes with their angle. */
export function ringsOf(shape: Shape): readonly (readonly number[])[] {
  switch (shape.kind) {
    case 'box':
      return [cornersOf(shape).flat()]
    case 'outline':
      return shape.rings
    case 'line':
    case 'points':
      return [shape.points]
  }
}
