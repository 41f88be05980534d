import type { FlatPlane } from '@neuroloom/contract/image-view'
import type { ImageFacts } from '@neuroloom/contract/viewing'

/** The plane that a single slice lies in: it is seen from the side of the axis that no row or column follows. */
export function planeOf({ orientation }: Pick<ImageFacts, 'orientation'>): FlatPlane {
  const through = orientation?.[2] ?? ''
  if ('RL'.includes(through) && through !== '') return 'sagittal'
  return 'AP'.includes(through) && through !== '' ? 'coronal' : 'axial'
}
