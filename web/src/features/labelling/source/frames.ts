/** Frames of a video by their numbers: counted from the file itself, so that they are the same on every machine, and decoded in this browser (WebCodecs). */
import {
  EncodedPacketSink,
  Input,
  type InputVideoTrack,
  MATROSKA,
  MP4,
  MPEG_TS,
  QTFF,
  UrlSource,
  VideoSampleSink,
  WEBM,
} from 'mediabunny'

export type Frames = {
  size: readonly [width: number, height: number, frames: number]
  /** A second. */
  rate: number
  /** Decodes from one frame on, in their order, until it is told that enough were seen. */
  from: (frame: number, each: (frame: number, bitmap: ImageBitmap) => boolean) => Promise<void>
  close: () => void
}

/** Those that hold pictures in one file: playlists would lead elsewhere. */
const containers = [MP4, QTFF, WEBM, MATROSKA, MPEG_TS]
/** Of files that say nothing of it. */
const USUAL_RATE = 25

/** null: this browser cannot read it. */
export async function openFrames(url: string, signal: AbortSignal): Promise<Frames | null> {
  // Not there on plain http, nor in older browsers.
  if (!('VideoDecoder' in globalThis)) return null
  const input = new Input({ formats: containers, source: new UrlSource(url) })
  const close = () => input.dispose()
  signal.addEventListener('abort', close, { once: true })
  try {
    const track = await input.getPrimaryVideoTrack()
    if (!track || !(await track.canDecode())) throw new RangeError('no frames that this browser decodes')
    const times = await timesOf(track)
    signal.throwIfAborted()
    return { ...(await factsOf(track, times)), from: decoder(track, times), close }
  } catch {
    close()
    signal.throwIfAborted()
    return null
  }
}

/** When each frame is shown, in the order of showing: frame n is the n-th of them. */
async function timesOf(track: InputVideoTrack): Promise<number[]> {
  const times: number[] = []
  const sink = new EncodedPacketSink(track)
  for await (const { timestamp } of sink.packets(undefined, undefined, { metadataOnly: true }))
    times.push(timestamp)
  return [...new Set(times)].sort((one, other) => one - other)
}

async function factsOf(
  track: InputVideoTrack,
  times: readonly number[],
): Promise<Pick<Frames, 'size' | 'rate'>> {
  const [first = 0, last = 0] = [times[0], times.at(-1)]
  const size = [await track.getDisplayWidth(), await track.getDisplayHeight(), times.length] as const
  return { size, rate: last > first ? (times.length - 1) / (last - first) : USUAL_RATE }
}

function decoder(track: InputVideoTrack, times: readonly number[]): Frames['from'] {
  const sink = new VideoSampleSink(track)
  const numberAt = new Map(times.map((time, frame) => [time, frame]))
  return async (frame, each) => {
    for await (const sample of sink.samples(times[frame])) {
      // The decoder holds only a few at once.
      const number = numberAt.get(sample.timestamp)
      const bitmap = number === undefined ? null : await pictureOf(sample)
      sample.close()
      if (bitmap && number !== undefined && !each(number, bitmap)) return
    }
  }
}

const pictureOf = (sample: {
  toCanvasImageSource: () => OffscreenCanvas | VideoFrame
}): Promise<ImageBitmap> => createImageBitmap(sample.toCanvasImageSource())
