/** What pages are told of an image. */
import type { ImageFacts } from '@neuroloom/contract/viewing'
import { orientationOf, rangeOf, type Scan } from './model.ts'
import { usualRange } from './usual-range.ts'

export const factsOf = (scan: Scan): ImageFacts => ({
  format: scan.format,
  size: scan.size,
  layout: scan.layout,
  channels: scan.channels,
  dataType: scan.dataType,
  bits: scan.bits,
  spacing: scan.geometry?.spacing ?? null,
  regions: [...scan.regions],
  frameSeconds: scan.frameSeconds,
  orientation: orientationOf(scan.geometry),
  range: rangeOf(scan),
  usual: usualRange(scan),
  windows: scan.windows,
  unit: scan.unit,
  photometric: scan.photometric,
  modality: scan.modality,
  compression: scan.compression,
})
