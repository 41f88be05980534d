/** Marks as they are kept. */
import { wholePatch } from '@neuroloom/contract/labelling/patch'
import type { Marks, Whole } from '@neuroloom/contract/labelling/steps'

export function wholeOf({ tags, things, segments, pixels }: Marks): Whole {
  const patch = wholePatch(pixels)
  return {
    tags: [...tags],
    things: [...things.values()],
    segments: [...segments.values()],
    pixels: patch === null ? '' : Buffer.from(patch).toString('base64'),
  }
}

export const isBare = ({ tags, things, pixels }: Marks): boolean =>
  tags.length === 0 && things.size === 0 && pixels.tiles.size === 0
