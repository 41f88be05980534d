/** The image of a reading, by whatever it came as. */
import type { LabelImage } from '@neuroloom/contract/labelling/labelling'
import type { Size } from '../canvas/plane.ts'
import { isGzip, type Volume } from './nifti.ts'
import { pictureSource } from './picture.ts'
import type { Source } from './source.ts'
import { tilesSource } from './tiles.ts'
import { volumeSource } from './volume.ts'

export async function openSource(
  { url, tiles, facts }: LabelImage,
  size: Size,
  signal: AbortSignal,
): Promise<Source> {
  if (tiles) return tilesSource(tiles, size)
  if (url === null) throw new Error('nothing to draw')
  const answer = await fetch(url, { signal })
  if (!answer.ok) throw new Error(`the image answered ${answer.status}`)
  const blob = await answer.blob()
  const head = new Uint8Array(await blob.slice(0, 2).arrayBuffer())
  return isGzip(head) ? volumeSource(await unpacked(blob, signal), facts) : pictureSource(blob)
}

function unpacked(blob: Blob, signal: AbortSignal): Promise<Volume> {
  const worker = new Worker(new URL('./nifti.worker.ts', import.meta.url), { type: 'module' })
  return new Promise<Volume>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    worker.onerror = () => reject(new Error('the volume was not read'))
    worker.onmessage = ({ data }: MessageEvent<{ volume?: Volume; failure?: string }>) =>
      data.volume ? resolve(data.volume) : reject(new Error(data.failure))
    worker.postMessage(blob)
  }).finally(() => worker.terminate())
}
