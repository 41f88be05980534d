/** Makes pictures of a video's frames, as files that can be uploaded. */
import { videoFrames as limits } from '@neuroloom/contract/limits'
import { formatBytes } from '../../../lib/format.ts'
import type { Picked } from '../upload/picked-files.ts'
import { type FramesChoice, sizeOf } from './frames-plan.ts'
import type { OpenVideo } from './open-video.ts'
import { VideoFailure } from './video-failure.ts'

type TakeOptions = {
  /** Of the folder, and what the pictures' names begin with. */
  folder: string
  stem: string
  signal: AbortSignal
  onProgress: (done: number) => void
}

/** Names sort as the frames follow each other. */
const DIGITS = 5

export async function takeFrames(
  video: OpenVideo,
  choice: FramesChoice,
  { folder, stem, signal, onProgress }: TakeOptions,
): Promise<Picked[]> {
  const { width, height } = sizeOf(video.facts, choice.side)
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  const context = canvas.getContext('2d', { alpha: false })
  if (!context) throw new VideoFailure('picture')
  context.imageSmoothingQuality = 'high'
  const picked: Picked[] = []
  let bytes = 0
  for await (const frame of video.frames(choice, signal)) {
    signal.throwIfAborted()
    frame.draw(context, width, height)
    const blob = await pictureOf(canvas, choice.kind)
    bytes += blob.size
    if (bytes > limits.bytes) throw new VideoFailure('tooLarge', { limit: formatBytes(limits.bytes) })
    const number = String(picked.length + 1).padStart(DIGITS, '0')
    const name = `${stem}_${number}.${choice.kind === 'png' ? 'png' : 'jpg'}`
    picked.push({ path: `${folder}/${name}`, file: new File([blob], name, { type: blob.type }) })
    onProgress(picked.length)
    if (picked.length === limits.frames) break
  }
  if (picked.length === 0) throw new VideoFailure('nothing')
  return picked
}

function pictureOf(canvas: HTMLCanvasElement, kind: FramesChoice['kind']): Promise<Blob> {
  return new Promise((resolve, reject) =>
    canvas.toBlob(
      (blob) => (blob && blob.size > 0 ? resolve(blob) : reject(new VideoFailure('picture'))),
      `image/${kind}`,
      limits.jpegQuality,
    ),
  )
}
