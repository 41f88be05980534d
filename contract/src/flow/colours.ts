/** Colours of speed and of vorticity, told apart with every kind of colour vision. Tables and what reads them; without zod. */

type ColourMap = {
  /** At even steps from the lowest to the highest. */
  anchors: readonly string[]
  source: string
}

export const colourMaps = {
  /** For what is never below 0: lightness rises all the way. Every 17th of the 256 colours that were published. */
  speed: {
    anchors: [
      ...['#440154', '#481a6c', '#472f7d', '#414487', '#39568c', '#31688e', '#2a788e', '#23888e'],
      ...['#1f988b', '#22a884', '#35b779', '#54c568', '#7ad151', '#a5db36', '#d2e21b', '#fde725'],
    ],
    source: 'viridis by S. van der Walt, N. Smith and E. Firing (2015), CC0: github.com/BIDS/colormap',
  },
  /** For what has two signs: light at 0 and equally dark at both ends, blue below and orange above. */
  vorticity: {
    anchors: [
      ...['#003c79', '#195192', '#2b66ae', '#437dc6', '#5f94d8', '#7face6', '#a3c4ee', '#cadbf1'],
      '#f2f2f2',
      ...['#edd4c3', '#e5b697', '#d9996d', '#c97d47', '#b46423', '#9a4f05', '#7c3e01', '#5f2e00'],
    ],
    source: 'made for this product: in OKLab lightness 0.96 to 0.36 by even steps, hues 255° and 55°',
  },
} as const satisfies Record<string, ColourMap>
export type ColourMapName = keyof typeof colourMaps

export type Rgb = readonly [red: number, green: number, blue: number]

/** `share` from 0 to 1, cut off at both ends; between two anchors linear. Null of what is no number: nothing is drawn there. */
export function colourAt(name: ColourMapName, share: number): Rgb | null {
  if (Number.isNaN(share)) return null
  const { anchors } = colourMaps[name]
  const place = Math.min(1, Math.max(0, share)) * (anchors.length - 1)
  const low = Math.min(anchors.length - 2, Math.floor(place))
  const [from, to] = [rgbOf(anchors[low] ?? '#000000'), rgbOf(anchors[low + 1] ?? '#000000')]
  const mix = (axis: 0 | 1 | 2) => Math.round(from[axis] + (place - low) * (to[axis] - from[axis]))
  return [mix(0), mix(1), mix(2)]
}

/** From 0 to 1: speeds from 0 to the top, vorticities from −top to top. */
export const shareOf = (name: ColourMapName, value: number, top: number): number =>
  name === 'speed' ? value / top : (value / top + 1) / 2

/** Red, green and blue of 256 even steps, one after the other, for drawing. */
export const tableOf = (name: ColourMapName): Uint8ClampedArray =>
  Uint8ClampedArray.from(Array.from({ length: 256 }, (_, at) => colourAt(name, at / 255) ?? [0, 0, 0]).flat())

/** `#RRGGBB`. */
export function rgbOf(colour: string): Rgb {
  const number = Number.parseInt(colour.slice(1), 16)
  return [number >> 16, (number >> 8) & 255, number & 255]
}

/** Of two colours, from 1 to 21: WCAG 2.2, "contrast ratio". */
export function contrast(one: string, other: string): number {
  const [high = 0, low = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a)
  return (high + 0.05) / (low + 0.05)
}

function luminance(colour: string): number {
  const [red, green, blue] = rgbOf(colour).map((value) => {
    const share = value / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0)
}
