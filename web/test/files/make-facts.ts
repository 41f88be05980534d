import type { ImageFacts } from '@neuroloom/contract/viewing'

/** What is known of a grey volume. */
export const makeFacts = (facts: Partial<ImageFacts> = {}): ImageFacts => ({
  ...{ format: 'dicom', size: [8, 8, 5, 1], layout: 'volume', channels: 1, dataType: 'int16', bits: 16 },
  ...{ spacing: [1, 1, 1], regions: [], frameSeconds: null, orientation: 'LPS', usual: null },
  ...{ range: { min: 0, max: 100, mean: 50 }, windows: [], unit: '', photometric: '' },
  ...{ modality: '', compression: '' },
  ...facts,
})
