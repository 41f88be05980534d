/** Opens a stored video in this browser, by the means it has; the server decodes nothing of it. */
import type { Entry } from '@neuroloom/contract/files'
import type { FramesChoice, VideoFacts } from './frames-plan.ts'
import { VideoFailure } from './video-failure.ts'

/** What is drawn for each frame; `draw` fills the whole of it. */
export type Frame = { draw: (context: CanvasRenderingContext2D, width: number, height: number) => void }

export type OpenVideo = {
  facts: VideoFacts
  /** In order; a frame is valid until the next one is asked for. */
  frames: (choice: FramesChoice, signal: AbortSignal) => AsyncIterable<Frame>
  close: () => void
}

export type VideoEntry = Pick<Entry, 'id' | 'name'>

/** Frame by frame where the browser can; else, and where it cannot read this kind so, by playing it. */
export async function openVideo(entry: VideoEntry, signal: AbortSignal): Promise<OpenVideo> {
  let failure: VideoFailure | null = null
  // Not there on plain http, nor in older browsers.
  if ('VideoDecoder' in window) {
    try {
      const { openDecoded } = await import('./video-decoded.ts')
      return await openDecoded(entry, signal)
    } catch (error) {
      if (!(error instanceof VideoFailure) || error.reason === 'network' || signal.aborted) throw error
      failure = error
    }
  }
  const { openPlayed } = await import('./video-played.ts')
  try {
    return await openPlayed(entry, signal)
  } catch (error) {
    throw failure ?? error
  }
}
