/** Frames by the video element, for browsers without WebCodecs: it is moved to each moment and drawn. */
import { videoFrames as limits } from '@neuroloom/contract/limits'
import { call } from '../../../lib/api.ts'
import { type FramesChoice, timesOf, type VideoFacts } from './frames-plan.ts'
import type { Frame, OpenVideo, VideoEntry } from './open-video.ts'
import { VideoFailure } from './video-failure.ts'

export async function openPlayed(entry: VideoEntry, signal: AbortSignal): Promise<OpenVideo> {
  const type = `.${entry.name.split('.').at(-1) ?? ''}`
  const { url, kind } = await call('files/view', { id: entry.id, series: false }, { quiet: true, signal })
  if (kind !== 'video' || url === null) throw new VideoFailure('container', { type })
  const video = document.createElement('video')
  video.muted = true
  video.preload = 'auto'
  video.src = url
  const close = () => {
    video.removeAttribute('src')
    video.load()
  }
  try {
    await reached(video, 'loadeddata')
    if (video.videoWidth === 0) throw new VideoFailure('noVideo')
    // Recordings often do not say how long they are; their end does.
    if (!Number.isFinite(video.duration)) await moveTo(video, Number.MAX_SAFE_INTEGER)
    const facts = {
      seconds: Number.isFinite(video.duration) ? video.duration : video.currentTime,
      width: video.videoWidth,
      height: video.videoHeight,
      rate: null,
    }
    return { facts, frames: (choice, stop) => framesOf(video, { choice, facts, stop }), close }
  } catch (error) {
    close()
    throw error instanceof VideoFailure && error.reason !== 'damaged'
      ? error
      : new VideoFailure('codec', { codec: type }, error)
  }
}

type Wanted = { choice: FramesChoice; facts: VideoFacts; stop: AbortSignal }

async function* framesOf(video: HTMLVideoElement, { choice, facts, stop }: Wanted): AsyncGenerator<Frame> {
  for (const time of timesOf(choice, facts)) {
    stop.throwIfAborted()
    await moveTo(video, time)
    yield { draw: (context, width, height) => context.drawImage(video, 0, 0, width, height) }
  }
}

function moveTo(video: HTMLVideoElement, seconds: number): Promise<void> {
  const moved = reached(video, 'seeked')
  video.currentTime = seconds
  return moved
}

function reached(video: HTMLVideoElement, event: 'loadeddata' | 'seeked'): Promise<void> {
  return new Promise((resolve, reject) => {
    const ended = new AbortController()
    const settle = (act: () => void) => () => {
      clearTimeout(timer)
      ended.abort()
      act()
    }
    const refuse = settle(() => reject(new VideoFailure('damaged', {}, video.error)))
    const timer = setTimeout(refuse, limits.seekMs)
    video.addEventListener(event, settle(resolve), { signal: ended.signal })
    video.addEventListener('error', refuse, { signal: ended.signal })
  })
}
