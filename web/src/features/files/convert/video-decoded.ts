/** Frames by WebCodecs: exact, every single one can be asked for, and only the needed parts of the file are fetched. */
import { files, videoFrames as limits } from '@neuroloom/contract/limits'
import {
  Input,
  type InputVideoTrack,
  MATROSKA,
  MP4,
  MPEG_TS,
  QTFF,
  UnsupportedInputFormatError,
  UrlSource,
  type VideoSample,
  VideoSampleSink,
  WEBM,
} from 'mediabunny'
import { call } from '../../../lib/api.ts'
import { type FramesChoice, timesOf, type VideoFacts } from './frames-plan.ts'
import type { Frame, OpenVideo, VideoEntry } from './open-video.ts'
import { VideoFailure } from './video-failure.ts'

/** Those that hold pictures in one file: playlists would lead elsewhere. */
const containers = [MP4, QTFF, WEBM, MATROSKA, MPEG_TS]
/** Packets by which the frame rate is judged. */
const RATE_PACKETS = 200

export async function openDecoded(entry: VideoEntry, signal: AbortSignal): Promise<OpenVideo> {
  const line = lineTo(entry.id)
  const input = new Input({ formats: containers, source: await line.source() })
  const close = () => input.dispose()
  signal.addEventListener('abort', close, { once: true })
  try {
    const track = await input.getPrimaryVideoTrack()
    // A file that was cut off often says nothing of what it holds.
    if (!track) throw new VideoFailure((await input.getPrimaryAudioTrack()) ? 'noVideo' : 'damaged')
    if (!(await track.canDecode())) throw new VideoFailure('codec', { codec: await nameOf(track) })
    const start = await track.getFirstTimestamp()
    const facts = await factsOf(track, start)
    const frames = (choice: FramesChoice, stop: AbortSignal) =>
      line.watch(framesOf(track, { choice, facts, start, stop }))
    return { facts, frames, close }
  } catch (error) {
    close()
    throw failureOf(error, { entry, line })
  }
}

/** As cameras and video programs call it, else as the file does. */
async function nameOf(track: InputVideoTrack): Promise<string> {
  const codec = (await track.getCodec()) ?? (await track.getInternalCodecId())
  const names: Record<string, string> = { avc: 'H.264', hevc: 'H.265 / HEVC' }
  return typeof codec === 'string' ? (names[codec] ?? codec.toUpperCase()) : '?'
}

async function factsOf(track: InputVideoTrack, start: number): Promise<VideoFacts> {
  const told = await track.getDurationFromMetadata()
  // Streams and some recordings do not say it.
  const end = told !== null && told > start ? told : await track.computeDuration()
  const { averagePacketRate } = await track.computePacketStats(RATE_PACKETS)
  return {
    seconds: Math.max(0, end - start),
    width: await track.getDisplayWidth(),
    height: await track.getDisplayHeight(),
    rate: Number.isFinite(averagePacketRate) && averagePacketRate > 0 ? averagePacketRate : null,
  }
}

type Wanted = { choice: FramesChoice; facts: VideoFacts; start: number; stop: AbortSignal }

async function* framesOf(track: InputVideoTrack, wanted: Wanted): AsyncGenerator<Frame> {
  const { choice, facts, start, stop } = wanted
  const sink = new VideoSampleSink(track)
  const samples =
    choice.by === 'nth'
      ? sink.samples(start + choice.from, start + choice.to)
      : sink.samplesAtTimestamps(timesOf(choice, facts).map((time) => start + time))
  let index = 0
  let last = Number.NEGATIVE_INFINITY
  for await (const sample of samples) {
    if (!sample) continue
    try {
      stop.throwIfAborted()
      const isWanted = choice.by === 'nth' ? index % choice.nth === 0 : sample.timestamp > last
      index += 1
      last = sample.timestamp
      if (isWanted) yield { draw: (context, width, height) => sample.draw(context, 0, 0, width, height) }
    } finally {
      release(sample)
    }
  }
}

/** The decoder holds only a few at once. */
const release = (sample: VideoSample): void => sample.close()

type Line = ReturnType<typeof lineTo>

/** The file by short-lived links, each asked for anew when it grows old; remembers when the server is out of reach. */
function lineTo(id: string) {
  let link: { url: string; atMs: number } | null = null
  let isBroken = false
  const fresh = async (): Promise<string> => {
    if (!link || Date.now() - link.atMs > files.linkMs / 2)
      link = { url: (await call('files/open', { id }, { quiet: true })).url, atMs: Date.now() }
    return link.url
  }
  const fetchFn = async (_: unknown, init?: RequestInit): Promise<Response> => {
    try {
      const response = await fetch(await fresh(), init)
      isBroken = !response.ok
      return response
    } catch (error) {
      isBroken = !init?.signal?.aborted
      throw error
    }
  }
  const getRetryDelay = (tries: number): number | null => (tries >= limits.tries ? null : 2 ** tries / 2)
  return {
    source: async () => new UrlSource(await fresh(), { fetchFn, getRetryDelay }),
    isBroken: () => isBroken,
    /** Frames, with what goes wrong on the way said as one of our reasons. */
    async *watch(frames: AsyncIterable<Frame>): AsyncGenerator<Frame> {
      try {
        yield* frames
      } catch (error) {
        throw isBroken ? new VideoFailure('network', {}, error) : new VideoFailure('damaged', {}, error)
      }
    },
  }
}

/** Failures of the server's calls speak for themselves. */
function failureOf(error: unknown, { entry, line }: { entry: VideoEntry; line: Line }): unknown {
  if (error instanceof VideoFailure) return error
  if (line.isBroken()) return new VideoFailure('network', {}, error)
  if (error instanceof UnsupportedInputFormatError)
    return new VideoFailure('container', { type: `.${entry.name.split('.').at(-1) ?? ''}` }, error)
  return new VideoFailure('damaged', {}, error)
}
