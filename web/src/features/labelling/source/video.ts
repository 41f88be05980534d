/** A video as a stack of frames: what is asked for is decoded with its neighbours, and a bounded number of frames is kept. */
import type { Frames } from './frames.ts'
import { drawSeen, ground, pixelsOf } from './ground.ts'
import type { Source } from './source.ts'

/** Of decoded frames: 4 bytes a pixel. */
const CACHE_BYTES = 192 * 1024 * 1024
/** Decoded ahead of the frame that is looked at, and before it when one goes back. */
const AHEAD = 12

export function videoSource(frames: Frames): Source {
  const [width, height, count] = frames.size
  const most = Math.max(2 * AHEAD, Math.floor(CACHE_BYTES / (4 * width * height)))
  const cache = new Map<number, ImageBitmap>()
  const waiting: { frame: number; resolve: (bitmap: ImageBitmap) => void }[] = []
  let wanted = 0
  let isBackwards = false
  let isDecoding = false
  let isClosed = false
  let tell = () => {}

  const keep = (frame: number, bitmap: ImageBitmap) => {
    cache.get(frame)?.close()
    cache.set(frame, bitmap)
    for (let at = waiting.length - 1; at >= 0; at--)
      if (waiting[at]?.frame === frame) waiting.splice(at, 1)[0]?.resolve(bitmap)
    // The farthest from where one looks go first.
    const far = [...cache.keys()].sort((one, other) => Math.abs(other - wanted) - Math.abs(one - wanted))
    for (const old of far.slice(0, Math.max(0, cache.size - most))) {
      cache.get(old)?.close()
      cache.delete(old)
    }
    if (frame === wanted) tell()
  }

  const end = () => Math.min(wanted + AHEAD, count - 1)
  const missing = (): number | null => {
    for (let frame = wanted; frame <= end(); frame++) if (!cache.has(frame)) return frame
    return null
  }

  const decode = async () => {
    if (isDecoding) return
    isDecoding = true
    try {
      for (let next = missing(); next !== null && !isClosed; next = missing()) {
        const goal = next
        // Backwards each frame would be decoded from its key frame on: so a stretch at once.
        const start = isBackwards && goal === wanted ? Math.max(0, goal - AHEAD) : goal
        await frames.from(start, (frame, bitmap) => {
          if (isClosed) bitmap.close()
          else keep(frame, bitmap)
          const isElsewhere = wanted < start || wanted > frame + 4 * AHEAD
          return !isClosed && !isElsewhere && frame < end()
        })
        // A frame that the file announces and does not hold: nothing comes of asking again.
        if (missing() === goal) return
      }
    } finally {
      isDecoding = false
    }
  }

  const ask = (frame: number) => {
    if (frame !== wanted) isBackwards = frame < wanted
    wanted = frame
    decode().catch(() => undefined)
  }

  return {
    size: frames.size,
    rate: frames.rate,
    isReady: (frame) => cache.has(frame),
    onNews: (listener) => {
      tell = listener
    },
    draw(context, seen) {
      ground(context, seen.area)
      const bitmap = cache.get(seen.plane.slice)
      // Dark until it is there: marks must not be made on another frame.
      if (bitmap) drawSeen(context, bitmap, seen)
      ask(seen.plane.slice)
    },
    async pixels({ slice }, rect) {
      const bitmap =
        cache.get(slice) ??
        (await new Promise<ImageBitmap>((resolve) => {
          waiting.push({ frame: slice, resolve })
          ask(slice)
        }))
      return pixelsOf(bitmap, rect)
    },
    close() {
      isClosed = true
      for (const bitmap of cache.values()) bitmap.close()
      cache.clear()
      frames.close()
    },
  }
}
