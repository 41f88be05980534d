/** Sizes on the canvas, known without drawing: cards, ports, frames. In units of the canvas. */

export const grid = 8
/** Between neighbours where the canvas finds a place by itself. */
export const gap = { x: 32, y: 40 } as const
export const frame = { head: 44, side: 24, bottom: 28 } as const
export const card = { width: 208, height: 60, maps: 68 } as const
const pill = { width: 152, height: 40 } as const
const head = { width: 208, height: 48 } as const
/** Ports stand at least so far apart. */
const portStep = 24

export type Point = readonly [number, number]

export interface Size {
  width: number
  height: number
}

/** Where data flow to: ports stand at the two ends. */
export type Direction = 'down' | 'right'

export const cardSize = (ports: number, hasMaps: boolean, direction: Direction = 'down'): Size =>
  withPorts({ width: card.width, height: card.height + (hasMaps ? card.maps : 0) }, ports, direction)
export const pillSize: Size = pill
export const headSize = (ports: number, direction: Direction): Size => withPorts(head, ports, direction)
export const frameSize = (content: Size, ports: number, direction: Direction): Size =>
  withPorts(
    {
      width: Math.max(card.width, content.width + 2 * frame.side),
      height: content.height + frame.head + frame.bottom,
    },
    ports,
    direction,
  )

/** Ports are spread over the edge, the middle of the card in the middle. From the card's upper left corner. */
export function portAt(
  end: 'in' | 'out',
  { index, count }: { index: number; count: number },
  { width, height, direction }: Size & { direction: Direction },
): [number, number] {
  const share = (index + 1) / (count + 1)
  if (direction === 'right') return [end === 'in' ? 0 : width, height * share]
  return [width * share, end === 'in' ? 0 : height]
}

function withPorts({ width, height }: Size, ports: number, direction: Direction): Size {
  const least = (ports + 1) * portStep
  return direction === 'right'
    ? { width, height: Math.max(height, least) }
    : { width: Math.max(width, least), height }
}

export const snapped = (value: number): number => Math.round(value / grid) * grid

/** Below this zoom everything is drawn as one picture: of many things letters could not be read, few may stay what they are. */
export const overviewZoom = (things: number): number => (things > 120 ? 0.38 : 0.16)
