/** Why a picture or a network cannot be tried here; each has a sentence with a remedy: locale keys `failure.<name>`. */
export const failures = [
  /** Nothing in it, or no file of a picture. */
  'empty',
  'not_a_picture',
  'broken_picture',
  /** Pictures that browsers cannot read; the cloud storage converts them. */
  'tiff',
  'dicom',
  'volume',
  'other_format',
  'too_large',
  /** The answer would be larger than a browser can hold. */
  'answer_too_large',
  'network_too_large',
  'network_broken',
  'no_link',
  'no_memory',
  'no_webassembly',
  'unexpected',
] as const
export type FailureName = (typeof failures)[number]

export class TryFailure extends Error {
  readonly failure: FailureName

  constructor(failure: FailureName, options?: ErrorOptions) {
    super(failure, options)
    this.failure = failure
  }
}

/** The name of whatever went wrong. */
export function failureOf(error: unknown): FailureName {
  if (error instanceof TryFailure) return error.failure
  const text = String(error)
  if (/WebAssembly|no available backend/i.test(text) && !/memory/i.test(text)) return 'no_webassembly'
  // The runtime gives up its memory with a number, the browser with a range or a size.
  if (error instanceof RangeError || /memory|alloc|out of bounds|^\d+$/i.test(text)) return 'no_memory'
  return 'unexpected'
}
