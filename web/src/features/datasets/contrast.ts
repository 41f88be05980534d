/** In which colour a mask is seen best over a picture: stained tissue is not marked in red. Pure but for reading pixels. */

/** Tokens, with the hue of each in degrees. */
const tints = [
  ['--nl-box-2', 193],
  ['--nl-box-5', 56],
  ['--nl-predicted', 313],
] as const
/** Of what is grey, or cannot be read. */
export const usualTint = tints[0][0]

const SIDE = 8
/** Between the strongest and the weakest channel, of 255; below this a picture is grey. */
const COLOURED = 18

/** The farthest hue from that of the mean pixel. */
export function contrastingTint([red, green, blue]: readonly [number, number, number]): string {
  const most = Math.max(red, green, blue)
  const span = most - Math.min(red, green, blue)
  if (span < COLOURED) return usualTint
  const hue = hueOf({ red, green, blue, most, span })
  const apart = (tint: number) => Math.min(Math.abs(tint - hue), 360 - Math.abs(tint - hue))
  return tints.reduce((best, one) => (apart(one[1]) > apart(best[1]) ? one : best), tints[0])[0]
}

type Mean = Record<'red' | 'green' | 'blue' | 'most' | 'span', number>

function hueOf({ red, green, blue, most, span }: Mean): number {
  if (most === red) return (60 * ((green - blue) / span) + 360) % 360
  return most === green ? 60 * (2 + (blue - red) / span) : 60 * (4 + (red - green) / span)
}

/** Of an image that has come; the usual one where it cannot be drawn. */
export function tintFor(image: HTMLImageElement): string {
  const canvas = Object.assign(document.createElement('canvas'), { width: SIDE, height: SIDE })
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (!context) return usualTint
  context.drawImage(image, 0, 0, SIDE, SIDE)
  const { data } = context.getImageData(0, 0, SIDE, SIDE)
  const mean = (channel: number): number => {
    let sum = 0
    for (let at = channel; at < data.length; at += 4) sum += data[at] ?? 0
    return sum / (SIDE * SIDE)
  }
  return contrastingTint([mean(0), mean(1), mean(2)])
}
