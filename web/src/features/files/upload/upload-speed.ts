/** Bytes a second over the last seconds, so that the figure neither jumps nor lags. */
const windowMs = 5000

export function createSpeedMeter() {
  let samples: { atMs: number; bytes: number }[] = []
  let total = 0
  return {
    add(bytes: number) {
      // What is sent again after a cut is no progress, but neither is it a step back.
      if (bytes > 0) total += bytes
    },
    /** Bytes a second; null until there is something to say. */
    read(nowMs: number): number | null {
      samples = samples.filter((sample) => nowMs - sample.atMs <= windowMs)
      samples.push({ atMs: nowMs, bytes: total })
      const first = samples[0]
      if (!first || nowMs - first.atMs < 500) return null
      return ((total - first.bytes) * 1000) / (nowMs - first.atMs)
    },
    reset() {
      samples = []
    },
  }
}

export type SpeedMeter = ReturnType<typeof createSpeedMeter>
