/** Which frames of a video are wanted, and what that comes to; pure data, no video here. */
import { videoFrames as limits } from '@neuroloom/contract/limits'

export type FramesChoice = {
  by: 'perSecond' | 'nth'
  perSecond: number
  nth: number
  /** Seconds from the video's first frame. */
  from: number
  to: number
  /** Pixels of the longer side; null = as in the video. */
  side: number | null
  kind: 'png' | 'jpeg'
}

export type VideoFacts = {
  seconds: number
  width: number
  height: number
  /** Frames a second; null where only moments can be asked for, not single frames. */
  rate: number | null
}

export const firstChoice = ({ seconds }: VideoFacts): FramesChoice => ({
  by: 'perSecond',
  perSecond: 1,
  nth: 10,
  from: 0,
  to: Math.max(0.1, Math.ceil(seconds * 10) / 10),
  side: null,
  kind: 'png',
})

/** More often than the video changes would bring the same frame twice. */
const stepOf = ({ perSecond }: FramesChoice, { rate }: VideoFacts): number =>
  1 / Math.min(perSecond, rate ?? perSecond)

const endOf = ({ to }: FramesChoice, { seconds }: VideoFacts): number => Math.min(to, seconds)

/** About how many there will be; exact for moments. */
export function countOf(choice: FramesChoice, facts: VideoFacts): number {
  const span = endOf(choice, facts) - choice.from
  if (span <= 0) return 0
  const steps = choice.by === 'nth' ? (span * (facts.rate ?? 0)) / choice.nth : span / stepOf(choice, facts)
  return Math.max(1, Math.ceil(steps - 1e-6))
}

/** The moments of `perSecond`. */
export function timesOf(choice: FramesChoice, facts: VideoFacts): number[] {
  const step = stepOf(choice, facts)
  return Array.from({ length: countOf(choice, facts) }, (_, index) => choice.from + index * step)
}

export type ChoiceProblem = 'tooMany' | 'badSpan'

export function problemOf(choice: FramesChoice, facts: VideoFacts): ChoiceProblem | null {
  if (choice.from >= endOf(choice, facts)) return 'badSpan'
  return countOf(choice, facts) > limits.frames ? 'tooMany' : null
}

/** Never larger than the video, nor than what a canvas surely holds. */
export function sizeOf(
  { width, height }: VideoFacts,
  side: number | null,
): { width: number; height: number } {
  const longer = Math.max(width, height)
  const scale = Math.min(1, (side ?? limits.side) / longer, limits.side / longer)
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}
