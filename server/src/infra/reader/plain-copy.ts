/**
 * A copy of a picture that holds its pixels alone: no place, no name, no date, no colour profile, nothing behind its end.
 * What it is, its bytes say; its name is not asked.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { images } from '@neuroloom/contract/limits'
import sharp, { type Sharp } from 'sharp'
import { imageKindOf } from './kinds.ts'
import { Refusal } from './model.ts'
import { startsAsDicom } from './patient-hint.ts'
import { readBmp } from './picture/bmp.ts'
import { failureOf, readPicture } from './pictures.ts'
import { windowShown } from './thumbnail.ts'
import { eightBit } from './values.ts'

export type PlainCopy = {
  /** WebP files in the folder of the task. */
  made: string
  preview: string
  width: number
  height: number
}
export type CopyRefused = 'kind' | 'damaged' | 'too_large' | 'patient'

type Asked = {
  path: string
  out: string
  /** In pixels, of the longer side: of the copy, and of its preview. */
  side: number
  previewSide: number
}

const kinds: ReadonlySet<string> = new Set(['png', 'jpeg', 'gif', 'bmp'])

export async function makePlainCopy(asked: Asked): Promise<PlainCopy | { refused: CopyRefused }> {
  const bytes = readFileSync(asked.path)
  if (startsAsDicom(bytes)) return { refused: 'patient' }
  const kind = kindOf(bytes)
  if (!kinds.has(kind)) return { refused: kind === 'dicom' ? 'patient' : 'kind' }
  try {
    return await write(bytes, kind, asked)
  } catch (error) {
    const { reason } = failureOf(error, kind.toUpperCase())
    return { refused: reason === 'too_large' ? 'too_large' : 'damaged' }
  }
}

function kindOf(bytes: Buffer): string {
  try {
    return imageKindOf(bytes, '')
  } catch (error) {
    if (error instanceof Refusal) return ''
    throw error
  }
}

async function write(bytes: Buffer, kind: string, { out, side, previewSide }: Asked): Promise<PlainCopy> {
  const [made, preview] = ['copy.webp', 'preview.webp']
  // A photograph loses nothing that it had; drawings and screens keep their edges.
  const quality = kind === 'jpeg' ? { quality: 85 } : { quality: 80, nearLossless: true }
  const whole = await opened(bytes, kind, { isMoving: kind === 'gif' })
  const info = await fitted(whole, side)
    .webp({ ...quality, effort: 2 })
    .toFile(join(out, made))
  const still = await opened(bytes, kind, { isMoving: false })
  await fitted(still, previewSide).webp({ quality: 80, effort: 2 }).toFile(join(out, preview))
  // Of a moving picture the library tells the height of all its frames together.
  return { made, preview, width: info.width, height: info.pageHeight ?? info.height }
}

/** Never larger than it is. Of what the file says besides, only how it is held is heeded. */
const fitted = (picture: Sharp, side: number): Sharp =>
  picture.resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })

async function opened(bytes: Buffer, kind: string, { isMoving }: { isMoving: boolean }): Promise<Sharp> {
  if (kind === 'bmp') return ofScan(readBmp(bytes))
  const options = { failOn: 'error', limitInputPixels: images.maxPixels, animated: isMoving } as const
  const picture = sharp(bytes, options)
  const { depth } = await picture.metadata()
  // Sixteen bits seldom are all used: by their own range, as in small pictures of files.
  if (depth === 'ushort') return ofScan(await readPicture(bytes, kind))
  return isMoving ? picture : picture.autoOrient()
}

function ofScan(scan: Parameters<typeof windowShown>[0]): Sharp {
  const [width, height] = scan.size
  return sharp(eightBit(scan, windowShown(scan)), { raw: { width, height, channels: scan.channels } })
}
