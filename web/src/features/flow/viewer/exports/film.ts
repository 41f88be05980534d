/**
 * The pictures of a beat as a film: one frame of video for each moment, again in each loop, all of one size. Codecs are tried from the
 * one that most players know to the one that this browser surely has; a film is whole or not there.
 */
import { videoSize } from '@neuroloom/contract/flow/options'
import {
  BufferTarget,
  CanvasSource,
  canEncodeVideo,
  Mp4OutputFormat,
  Output,
  Quality,
  WebMOutputFormat,
} from 'mediabunny'
import { figureSize, type Paint, paintedPng } from './picture-png.ts'
import { makeZip } from './zip.ts'

export const filmRungs = [
  { container: 'mp4', codec: 'avc' },
  { container: 'mp4', codec: 'vp9' },
  { container: 'webm', codec: 'vp9' },
  { container: 'webm', codec: 'vp8' },
] as const
export type FilmRung = (typeof filmRungs)[number]
export type FilmContainer = FilmRung['container']

export type FilmAsk = {
  /** One a moment, in their order. */
  paints: readonly Paint[]
  imageClarity: number
  loops: number
  /** From one frame to the next. */
  seconds: number
  /** Null: the first that works. */
  container: FilmContainer | null
  title: string
  /** Where it came from, in a line; and all that was chosen and measured. */
  comment: string
  options: string
  onProgress: (share: number) => void
  signal: AbortSignal
}

export type Film = { blob: Blob; container: FilmContainer; frames: number }

/** What one codec failed of; null where the browser has none. */
export type FilmCause = FilmRung & { message: string | null }

export class FilmFailure extends Error {
  readonly causes: readonly FilmCause[]
  constructor(causes: readonly FilmCause[]) {
    super('no codec made a film')
    this.causes = causes
  }
}

class Unsupported extends Error {}

/** Throws a FilmFailure where no codec works, and the signal's reason once it is aborted. */
export async function makeFilm(ask: FilmAsk): Promise<Film> {
  const causes: FilmCause[] = []
  const rungs = filmRungs.filter(({ container }) => ask.container === null || container === ask.container)
  for (const rung of rungs) {
    const film = await attempt(rung, ask).catch((error: unknown) => {
      ask.signal.throwIfAborted()
      const isUnsupported = error instanceof Unsupported
      if (!isUnsupported) console.warn(rung.container, rung.codec, error)
      causes.push({ ...rung, message: isUnsupported ? null : String(error) })
      return null
    })
    if (film) return film
  }
  throw new FilmFailure(causes)
}

/** Letters and thin lines need more than what is filmed: bits for each pixel of a frame. */
const BITS = 0.6
/** Every frame of the first second can be gone to at once. */
const KEY_SECONDS = 1

async function attempt({ container, codec }: FilmRung, ask: FilmAsk): Promise<Film> {
  const { paints, loops, seconds, signal } = ask
  const size = videoSize(figureSize(ask.imageClarity))
  const bitrate = Math.max(2e6, Math.round((BITS * size.width * size.height) / seconds))
  const quality = new Quality({ bitrate })
  if (!(await canEncodeVideo(codec, { ...size, quality, frameRate: 1 / seconds }))) throw new Unsupported()
  const canvas = document.createElement('canvas')
  Object.assign(canvas, size)
  const source = new CanvasSource(canvas, { codec, quality, keyFrameInterval: KEY_SECONDS })
  const target = new BufferTarget()
  const format = container === 'mp4' ? new Mp4OutputFormat() : new WebMOutputFormat()
  const output = new Output({ format, target })
  output.addVideoTrack(source, { frameRate: 1 / seconds })
  output.setMetadataTags({ title: ask.title, comment: ask.comment })
  const frames = paints.length * loops
  try {
    await output.start()
    for (let frame = 0; frame < frames; frame++) {
      signal.throwIfAborted()
      paints[frame % paints.length]?.(canvas)
      await source.add(frame * seconds, seconds)
      ask.onProgress((frame + 1) / frames)
    }
    await output.finalize()
  } catch (error) {
    await output.cancel().catch(() => {})
    throw error
  }
  if (target.buffer === null) throw new Error('nothing was written')
  return { blob: new Blob([target.buffer], { type: `video/${container}` }), container, frames }
}

/** Each moment once, as a picture. */
export async function pictureZip(ask: FilmAsk): Promise<Blob> {
  const zip = makeZip()
  const { paints } = ask
  for (const [frame, paint] of paints.entries()) {
    ask.signal.throwIfAborted()
    const png = await paintedPng(paint, ask.imageClarity)
    zip.add(`frame_${String(frame + 1).padStart(3, '0')}.png`, new Uint8Array(await png.arrayBuffer()))
    ask.onProgress((frame + 1) / paints.length)
  }
  zip.add('README.txt', new TextEncoder().encode(`${ask.comment}\r\n`))
  zip.add('options.json', new TextEncoder().encode(ask.options))
  return zip.end()
}
