/** Why no frames come out of a video: locale keys `conversions:frames.reason.<name>`, with params. */
export type VideoReason =
  | 'container'
  | 'codec'
  | 'noVideo'
  | 'damaged'
  | 'nothing'
  | 'tooLarge'
  | 'picture'
  | 'network'

export class VideoFailure extends Error {
  readonly reason: VideoReason
  readonly params: Record<string, string>

  constructor(reason: VideoReason, params: Record<string, string> = {}, cause?: unknown) {
    super(reason, { cause })
    this.reason = reason
    this.params = params
  }
}
