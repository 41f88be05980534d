/** What readers of lists for all images gather: by image its boxes, and what stands in the way of some. */
import type { Problem } from '@neuroloom/contract/datasets'
import type { Boxed, BoxedItem } from '../shapes.ts'
import type { Wanted } from './outlines.ts'

export type Gathered = Required<Wanted> & {
  classes: string[]
  items: Map<string, BoxedItem>
  problems: Problem[]
  /** Images of which a label was read and cannot be used. */
  spoilt: Set<string>
}

export const emptyGathered = ({ withOutlines = false }: Wanted): Gathered => ({
  ...{ classes: [], items: new Map(), problems: [], spoilt: new Set(), withOutlines },
})

/** In the order of the images' paths, whatever the order in the text. */
export const boxedOf = (
  { classes, items, problems, spoilt }: Gathered,
  layout: Boxed['layout'],
  images: readonly string[],
): Boxed => ({
  layout,
  task: 'detection',
  classes,
  items: [...items.values()].sort((one, other) => (one.path < other.path ? -1 : 1)),
  problems,
  unlabelled: images.filter((path) => !items.has(path) && !spoilt.has(path)),
})
