/** Pictures as numbers, and what the engine does to them before a network sees them. Draws nothing. */

/** Levels row by row, the channels of a pixel side by side; 16 bits are grey. */
export type Picture = {
  width: number
  height: number
  channels: 1 | 3
  levels: Uint8Array | Uint16Array
}

/** With 8 bits a level, grey or in colour; deeper pictures are stretched from their darkest to their brightest pixel. */
export function asBytes(picture: Picture, channels: 1 | 3): Picture & { levels: Uint8Array } {
  const bytes = { ...picture, levels: eightBits(picture.levels) }
  if (picture.channels === channels) return bytes
  return { ...bytes, channels, levels: channels === 1 ? toGrey(bytes.levels) : toColour(bytes.levels) }
}

/** Of the same depth as before: what a restoration gets. */
export function asStored(picture: Picture, channels: 1 | 3): Picture {
  if (picture.levels instanceof Uint8Array) return asBytes(picture, channels)
  const { levels } = picture
  if (channels === picture.channels) return picture
  const spread = new Uint16Array(levels.length * channels)
  for (let at = 0; at < spread.length; at++) spread[at] = levels[Math.floor(at / channels)] ?? 0
  return { ...picture, channels, levels: spread }
}

export const topOf = ({ levels }: Picture): number => (levels instanceof Uint8Array ? 255 : 65535)

/** In the arithmetic of 32-bit floats, as the engine does it. */
function eightBits(levels: Uint8Array | Uint16Array): Uint8Array {
  if (levels instanceof Uint8Array) return levels
  let [low, high] = [65535, 0]
  for (const level of levels) {
    if (level < low) low = level
    if (level > high) high = level
  }
  const gain = Math.fround(255 / Math.max(1, high - low))
  return Uint8Array.from(levels, (level) => Math.floor(Math.fround(Math.fround((level - low) * gain) + 0.5)))
}

/** ITU-R 601 in 16-bit fixed point, as in Pillow. */
function toGrey(levels: Uint8Array): Uint8Array {
  const grey = new Uint8Array(levels.length / 3)
  for (let at = 0; at < grey.length; at++) {
    const [red, green, blue] = [levels[3 * at] ?? 0, levels[3 * at + 1] ?? 0, levels[3 * at + 2] ?? 0]
    grey[at] = (19595 * red + 38470 * green + 7471 * blue + 0x8000) >> 16
  }
  return grey
}

function toColour(levels: Uint8Array): Uint8Array {
  const colour = new Uint8Array(levels.length * 3)
  for (let at = 0; at < colour.length; at++) colour[at] = levels[Math.floor(at / 3)] ?? 0
  return colour
}

/** A quarter turn to the right. */
export function turned({ width, height, channels, levels }: Picture): Picture {
  const out = levels.slice()
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [from, to] = [(y * width + x) * channels, (x * height + (height - 1 - y)) * channels]
      for (let channel = 0; channel < channels; channel++) out[to + channel] = levels[from + channel] ?? 0
    }
  }
  return { width: height, height: width, channels, levels: out }
}

/** For a canvas. */
export function toRgba(picture: Picture): Uint8ClampedArray<ArrayBuffer> {
  const { levels } = asBytes(picture, 3)
  const rgba = new Uint8ClampedArray((levels.length / 3) * 4)
  for (let at = 0, from = 0; at < rgba.length; at += 4, from += 3) {
    rgba[at] = levels[from] ?? 0
    rgba[at + 1] = levels[from + 1] ?? 0
    rgba[at + 2] = levels[from + 2] ?? 0
    rgba[at + 3] = 255
  }
  return rgba
}
