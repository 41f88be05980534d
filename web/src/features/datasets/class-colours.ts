/** Gives the picture of a mask the colours of its classes. Pure. */
import type { DatasetItem } from '@neuroloom/contract/datasets'

export type Shades = NonNullable<DatasetItem['shades']>
export type Rgb = readonly [number, number, number]

/** What does not count, and the background (class 0), stay clear. */
const isMarked = (index: number): boolean => index > 0

/** Of `#rrggbb`, or `#rgb` as style sheets are shortened. */
export function rgbOf(colour: string): Rgb {
  const digits = colour.slice(1)
  const code = Number.parseInt(digits.length === 3 ? digits.replaceAll(/./g, '$&$&') : digits, 16)
  return [(code >> 16) & 255, (code >> 8) & 255, code & 255]
}

/**
 * Gives the pixels (red, green, blue, alpha of each) of a mask's picture the colours of their classes, where they lie. False
 * where one has a colour that is not among the shades: the pixels are then worth nothing.
 */
export function recolour(
  pixels: Uint8ClampedArray,
  shades: Shades,
  /** Of a class; 1 is the first one beside the background. */
  colourOf: (index: number) => Rgb,
): boolean {
  const meanings = new Map(
    shades.map((one) => [codeOf(rgbOf(one.shade)), isMarked(one.class) ? colourOf(one.class) : null]),
  )
  for (let at = 0; at < pixels.length; at += 4) {
    const meant = meanings.get(codeOf([pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0]))
    if (meant === undefined) return false
    const [red, green, blue] = meant ?? [0, 0, 0]
    pixels.set([red, green, blue, meant ? 255 : 0], at)
  }
  return true
}

const codeOf = ([red, green, blue]: Rgb): number => (red << 16) | (green << 8) | blue
