/** Sizes and channels over all images of a data set. */
import type { DataFacts } from '@neuroloom/contract/datasets'
import type { FileFacts } from '@neuroloom/contract/engine'

/** What plain images have nothing to say of. */
export const noFurtherFacts = {
  depth: null,
  spacing: null,
  factor: null,
  boxSide: null,
  given: null,
  patients: null,
}

export function summarise(images: readonly FileFacts[], classCounts: number[]): DataFacts | null {
  if (images.length === 0) return null
  return {
    items: images.length,
    width: spanOf(images.map(({ width }) => width)),
    height: spanOf(images.map(({ height }) => height)),
    channels: images.some(({ channels }) => channels === 3) ? 3 : 1,
    classCounts,
    ...noFurtherFacts,
  }
}

function spanOf(numbers: number[]): DataFacts['width'] {
  const sorted = numbers.sort((left, right) => left - right)
  const at = (index: number): number => sorted[index] ?? 0
  return { min: at(0), median: at(Math.floor(sorted.length / 2)), max: at(sorted.length - 1) }
}
