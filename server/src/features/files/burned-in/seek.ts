import { join } from 'node:path'
import type { TextRegion } from '@neuroloom/contract/burned-in'
import { burnedIn as limits, viewing } from '@neuroloom/contract/limits'
import type { ViewReason } from '@neuroloom/contract/viewing'
import type { Context } from '../../../infra/context.ts'
import { read } from '../../../infra/reader/reader.ts'
import { readTexts } from '../../../infra/tesseract.ts'
import { layOut, patienceOf } from '../view/make.ts'
import type { PictureRow } from './tables.ts'
import type { PictureTask } from './task.ts'

type Sought = Pick<PictureRow, 'width' | 'height' | 'frames' | 'regions' | 'doubt'>

/** Looks for texts in one picture by a program of its own, then has Tesseract read each place. */
export async function seekOne(
  ctx: Context,
  { folder, file, signal }: PictureTask,
): Promise<Sought | { refused: ViewReason }> {
  const source = { files: [file], siblings: [] }
  const answer = await read(
    { task: 'texts', ...(await layOut(ctx, source, folder)), out: folder, limitBytes: viewing.pixelBytes },
    { log: ctx.log, folder, signal, ...patienceOf('job') },
  )
  if ('refused' in answer) return answer
  const crops = answer.regions.flatMap(({ crop }) => crop ?? [])
  const words = await readTexts(
    crops.map((crop) => join(folder, crop)),
    { folder, signal },
  )
  const regions = answer.regions.map(({ x, y, w, h, first, last, weight, crop }): TextRegion => {
    const word = crop === null ? undefined : words[crops.indexOf(crop)]
    // By whole characters: the database takes no half ones.
    const text = [...(word?.text ?? '')].slice(0, limits.textLength / 2).join('')
    const sureness = surenessOf(weight, word?.confidence ?? 0)
    return { x, y, w, h, first, last, text, sureness, isDrawn: false }
  })
  const { width, height, frames } = answer
  const doubt = regions.reduce((most, { sureness }) => Math.max(most, 100 - sureness), 0)
  return { width, height, frames, regions, doubt }
}

/** Looks are worth more than reading: small letters on tissue are seen better than they are read. */
function surenessOf(weight: number, confidence: number): number {
  const looks = 1 / (1 + Math.exp(-(weight - 3) / 2))
  return Math.round(100 * Math.max(looks, confidence / 100))
}
