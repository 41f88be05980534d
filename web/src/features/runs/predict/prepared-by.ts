import { type Recipe, replayOf, type Step } from '@neuroloom/contract/recipes/recipe'

/** What is done with images before the network sees them: names of steps, or of the tool that tells none; '' = nothing. */
export function preparedBy(recipe: Recipe | null, nameOf: (step: Step) => string): string {
  if (recipe === null) return ''
  if (recipe.isClosed) return recipe.name ?? ''
  return replayOf(recipe).steps.map(nameOf).join(', ')
}
