import { drawCell } from '../src/demo/pictures.ts'
import { encodePng } from '../src/demo/png.ts'
import type { TestFile } from './uploads.ts'

export const pictures: TestFile[] = [1, 2, 3, 4, 5, 6].map((seed) => ({
  path: `set/img${seed}.png`,
  bytes: encodePng(drawCell(seed % 2 ? 'round' : 'elongated', seed)),
}))

export const cells = (...words: string[]): string =>
  `<row>${words.map((word) => `<c t="inlineStr"><is><t>${word}</t></is></c>`).join('')}</row>`
export const sheetRows = [1, 2, 3, 4, 5, 6]
  .map((n) => cells(`img${n}.png`, n % 2 ? 'round' : 'long'))
  .join('')
