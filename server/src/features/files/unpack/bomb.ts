import { archives as limits } from '@neuroloom/contract/limits'
import { Unpackable } from './plan.ts'

type Flow = { readBytes: number; outBytes: number; elapsedMs: number }

/**
 * Watches what comes out of a packed archive whose entries have yet to be found. What can be worked out in a moment may
 * come of little; once it takes long, the last `bombBytes` must have come of their share of the archive.
 */
export function bombWatch(archiveBytes: number): (flow: Flow) => void {
  let mark = { readBytes: 0, outBytes: 0 }
  return ({ readBytes, outBytes, elapsedMs }) => {
    if (outBytes > limits.bytes * OVERHEAD) throw new Unpackable('too_large', { limitBytes: limits.bytes })
    const isMuch = outBytes > limits.bombBytes && outBytes > archiveBytes * limits.ratio * OVERHEAD
    if (isMuch) throw new Unpackable('bomb')
    if (outBytes - mark.outBytes < limits.bombBytes) return
    const isPoor = outBytes - mark.outBytes > (readBytes - mark.readBytes) * limits.ratio
    if (isPoor && elapsedMs > limits.lookedThroughMs) throw new Unpackable('bomb')
    mark = { readBytes, outBytes }
  }
}

/** What flows besides the files: headers and filling. */
const OVERHEAD = 2
