/** Pictures that `draw.py` draws, with what is written where. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { viewing } from '@neuroloom/contract/limits'
import { root } from '../../e2e/stack.ts'
import type { Box } from '../../server/src/infra/reader/texts/boxes.ts'
import { type Film, openFilm } from '../../server/src/infra/reader/texts/film.ts'

/** `names` are for learning alone: small ones, which are hard to find. */
export type What = 'text' | 'names' | 'clean'
export type Text = Box & {
  kind: string
  script: string
  size: number
  look: string
}

const fontNames = [
  'node_modules/pdfmake/build/fonts/Roboto/Roboto-Regular.ttf',
  'node_modules/pdfmake/build/fonts/Roboto/Roboto-Medium.ttf',
  'node_modules/pdfmake/build/fonts/Roboto/Roboto-Italic.ttf',
  'node_modules/pdfjs-dist/standard_fonts/LiberationSans-Regular.ttf',
  'node_modules/pdfjs-dist/standard_fonts/LiberationSans-Bold.ttf',
  'node_modules/@expo-google-fonts/noto-sans-sc/300Light/NotoSansSC_300Light.ttf',
  'node_modules/@expo-google-fonts/noto-sans-sc/400Regular/NotoSansSC_400Regular.ttf',
  'node_modules/@expo-google-fonts/noto-sans-sc/500Medium/NotoSansSC_500Medium.ttf',
  'node_modules/@expo-google-fonts/noto-sans-sc/700Bold/NotoSansSC_700Bold.ttf',
  '/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf',
  '/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf',
  '/usr/share/fonts/truetype/dejavu/DejaVuSerif.ttf',
  '/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc',
  '/usr/share/fonts/opentype/noto/NotoSerifCJK-Bold.ttc',
]
export const fonts = fontNames
  .map((name) => (name.startsWith('/') ? name : join(root, name)))
  .filter(existsSync)

export function draw(folder: string, what: What, seed: number, count: number): void {
  const words = [join(root, 'bench/burned-in/draw.py'), folder, String(seed), String(count), what, ...fonts]
  const { status } = spawnSync(process.env.ENGINE_PYTHON ?? 'python3', words, { stdio: 'inherit' })
  if (status !== 0) throw new Error('The pictures could not be drawn')
}

/** By the product's own reader. */
export async function openDrawn(folder: string, name: string): Promise<{ film: Film; texts: Text[] }> {
  // `draw.py` writes nothing else.
  const drawn = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as {
    file: string
    texts: Text[]
  }
  const files = [{ path: join(folder, drawn.file), name: drawn.file }]
  const film = await openFilm({ files, siblings: new Map(), limitBytes: viewing.pixelBytes, folder })
  return { film, texts: drawn.texts }
}

export const overlap = (a: Box, b: Box): number =>
  Math.max(0, Math.min(a.x + a.w, b.x + b.w) - Math.max(a.x, b.x)) *
  Math.max(0, Math.min(a.y + a.h, b.y + b.h) - Math.max(a.y, b.y))
