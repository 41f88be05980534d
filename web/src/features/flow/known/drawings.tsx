/** A small drawing of each known flow, of lines alone: pale for walls and grids, plain for the flow, strong for what it is about. */
import type { PhantomName } from '@neuroloom/contract/flow/named'
import type { ReactNode } from 'react'
import styles from './known.module.css'

type Lines = { pale?: readonly string[]; plain?: readonly string[]; strong?: readonly string[] }

/** A square of 96 × 64 units. */
const drawing = ({ pale = [], plain = [], strong = [] }: Lines): ReactNode => (
  <svg viewBox="0 0 96 64" className={styles.drawing} aria-hidden="true">
    <path className={styles.pale} d={pale.join('')} />
    <path className={styles.plain} d={plain.join('')} />
    <path className={styles.strong} d={strong.join('')} />
  </svg>
)

/** From one place to another, with a head of two short lines. */
function arrow(x: number, y: number, toX: number, toY: number): string {
  const way = Math.atan2(toY - y, toX - x)
  const head = [way + 2.6, way - 2.6].map((angle) => {
    const [headX, headY] = [toX + 3.4 * Math.cos(angle), toY + 3.4 * Math.sin(angle)]
    return `M${round(toX)} ${round(toY)}L${round(headX)} ${round(headY)}`
  })
  return `M${round(x)} ${round(y)}L${round(toX)} ${round(toY)}${head.join('')}`
}

const round = (value: number): number => Math.round(value * 10) / 10

const line = (points: readonly (readonly [number, number])[]): string =>
  `M${points.map(([x, y]) => `${round(x)} ${round(y)}`).join('L')}`

const curve = (count: number, at: (part: number) => readonly [number, number]): string =>
  line(Array.from({ length: count + 1 }, (_, step) => at(step / count)))

const circle = (x: number, y: number, radius: number): string =>
  `M${x - radius} ${y}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0`

/** Most of a circle, with a head at its end; clockwise or against it. */
function turn(x: number, y: number, radius: number, isClockwise: boolean): string {
  const sign = isClockwise ? 1 : -1
  const at = (part: number): readonly [number, number] => {
    const angle = sign * part * 5.2 - 1.2
    return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)]
  }
  const [fromX, fromY] = at(0.94)
  return curve(28, at) + arrow(fromX, fromY, ...at(1))
}

const walls = ['M6 12H90', 'M6 52H90']
/** Speed across a pipe, from −1 at one wall to 1 at the other. */
const profile = (start: number, reach: (across: number) => number): string =>
  curve(24, (part) => [start + reach(2 * part - 1), 12 + 40 * part])
const across = [-0.64, -0.32, 0, 0.32, 0.64]
const arrows = (start: number, reach: (across: number) => number): string[] =>
  across.map((place) => arrow(start, 32 + 20 * place, start + reach(place) - 4, 32 + 20 * place))

const parabola = (across: number): number => 56 * (1 - across ** 2)
/** Flat in the middle and fastest near the walls, as at a high Womersley number. */
const blunt = (across: number): number => 40 * (1 - across ** 8) * (0.72 + 0.5 * across ** 4)
const cells = [0, 1, 2].flatMap((column) =>
  [0, 1].map((row) => turn(20 + 28 * column, 18 + 28 * row, 9, (column + row) % 2 === 0)),
)

export const drawings: Record<PhantomName, ReactNode> = {
  womersley: drawing({
    pale: walls,
    plain: arrows(12, blunt),
    strong: [
      profile(12, blunt),
      curve(24, (part) => [60 + 28 * part, 32 - 10 * Math.sin(part * 2 * Math.PI)]),
    ],
  }),
  thorax: drawing({
    pale: ['M5 32C5 -4 91 -4 91 32C91 68 5 68 5 32Z'],
    plain: ['M28 16C16 18 14 44 26 48C36 46 38 20 28 16Z', 'M68 16C80 18 82 44 70 48C60 46 58 20 68 16Z'],
    strong: [circle(48, 30, 7), arrow(48, 35, 48, 25)],
  }),
  pulsatile: drawing({
    pale: [...walls, 'M64 14V17M64 21V24M64 28V31M64 35V38M64 42V45M64 49V50'],
    plain: [
      profile(12, (place) => Math.min(parabola(place) * 1.3, 52)),
      ...arrows(12, (place) => Math.min(parabola(place) * 1.3, 51)),
    ],
    strong: [arrow(84, 26, 70, 26), arrow(88, 32, 68, 32), arrow(84, 38, 70, 38)],
  }),
  poiseuille: drawing({ pale: walls, plain: arrows(14, parabola), strong: [profile(14, parabola)] }),
  ring: drawing({
    pale: [circle(48, 34, 24)],
    plain: [turn(36, 34, 8, true), turn(60, 34, 8, false)],
    strong: [arrow(48, 48, 48, 6)],
  }),
  vortex: drawing({
    pale: [circle(48, 32, 28)],
    plain: [turn(48, 32, 20, true), turn(48, 32, 14, true)],
    strong: [circle(48, 32, 7)],
  }),
  taylorGreen: drawing({ pale: ['M6 32H90', 'M34 4V60', 'M62 4V60'], plain: cells }),
  abc: drawing({
    pale: ['M6 32H90'],
    plain: [curve(48, (part) => [6 + 80 * part, 32 + 20 * Math.sin(part * 4 * Math.PI)])],
    strong: [
      curve(48, (part) => [6 + 80 * part, 32 - 20 * Math.sin(part * 4 * Math.PI)]),
      arrow(84, 37, 87, 30),
    ],
  }),
  rotation: drawing({
    pale: [circle(48, 32, 9), circle(48, 32, 18), circle(48, 32, 27)],
    strong: [arrow(57, 32, 57, 40), arrow(66, 32, 66, 47), arrow(75, 32, 75, 54)],
    plain: ['M48 32H78'],
  }),
  linear: drawing({
    pale: ['M20 56H56V12H20Z'],
    plain: ['M20 56H56L80 12H44Z'],
    strong: [arrow(21, 45, 25, 45), arrow(21, 34, 31, 34), arrow(21, 23, 37, 23), arrow(21, 13, 43, 13)],
  }),
}
