/** Pictures with letters drawn into them, as machines burn them in. */
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'

const fontFile = (path: string): string =>
  fileURLToPath(new URL(`../../node_modules/${path}`, import.meta.url))
const fonts = {
  Roboto: fontFile('pdfmake/build/fonts/Roboto/Roboto-Regular.ttf'),
  'Noto Sans SC': fontFile('@expo-google-fonts/noto-sans-sc/400Regular/NotoSansSC_400Regular.ttf'),
}

export type Written = {
  text: string
  x: number
  y: number
  size?: number
  colour?: string
  font?: keyof typeof fonts
}

/** RGB pixels, black with uneven tissue in the middle and white letters. */
export async function writtenPixels(
  [width, height]: [number, number],
  texts: readonly Written[],
): Promise<Buffer> {
  const pixels = Buffer.alloc(width * height * 3)
  for (let y = Math.round(height * 0.3); y < height * 0.8; y += 1) {
    for (let x = Math.round(width * 0.3); x < width * 0.7; x += 1)
      pixels.fill(
        40 + ((x * 31 + y * 17 + ((x * y) % 13) * 5) % 50),
        (y * width + x) * 3,
        (y * width + x) * 3 + 3,
      )
  }
  const letters = texts.map(async ({ text, x, y, size = 20, colour = 'white', font = 'Roboto' }) => ({
    input: await sharp({
      text: {
        text: `<span foreground="${colour}">${text}</span>`,
        font: `${font} ${size}`,
        fontfile: fonts[font],
        rgba: true,
        dpi: 72,
      },
    })
      .png()
      .toBuffer(),
    left: x,
    top: y,
  }))
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .composite(await Promise.all(letters))
    .removeAlpha()
    .raw()
    .toBuffer()
}
