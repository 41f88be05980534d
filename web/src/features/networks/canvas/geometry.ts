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

export interface Size {
  width: number
  height: number
}

export const cardSize = (ports: number, hasMaps: boolean): Size => ({
  width: widthFor(ports, card.width),
  height: card.height + (hasMaps ? card.maps : 0),
})
export const pillSize: Size = pill
export const headSize = (ports: number): Size => ({ width: widthFor(ports, head.width), height: head.height })
export const frameSize = (content: Size, ports: number): Size => ({
  width: widthFor(ports, Math.max(card.width, content.width + 2 * frame.side)),
  height: content.height + frame.head + frame.bottom,
})

/** Ports are spread over the edge, the middle of the card in the middle. */
export const portX = (index: number, count: number, width: number): number =>
  (width * (index + 1)) / (count + 1)

function widthFor(ports: number, least: number): number {
  return Math.max(least, (ports + 1) * portStep)
}

export const snapped = (value: number): number => Math.round(value / grid) * grid

/** Below this zoom everything is drawn as one picture: of many things letters could not be read, few may stay what they are. */
export const overviewZoom = (things: number): number => (things > 120 ? 0.38 : 0.16)
