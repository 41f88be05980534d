/** The steps of recipes in the order in which they are offered: shape first, then values, then masks and tiles. Data only. */
import type { StepName } from './recipe.ts'

/** Texts: `recipes:group.<key>`, `recipes:step.<name>`. */
export const stepGroups = [
  { key: 'shape', names: ['size', 'crop', 'pad', 'rotate', 'flip'] },
  { key: 'values', names: ['grey', 'window', 'normalise', 'clahe', 'denoise', 'bias'] },
  { key: 'masks', names: ['index', 'grow', 'fill', 'pieces', 'remap'] },
  { key: 'other', names: ['tiles'] },
] as const satisfies { key: string; names: readonly StepName[] }[]
