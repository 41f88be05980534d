import { type Recipe, type Step, type StepName, stepSchema } from '@neuroloom/contract/recipes/recipe'
import type { Tried } from '@neuroloom/contract/recipes/recipes'
import { FIRST } from './mask-colours.ts'

export type Usual = Tried['usual']
/** Sizes in the folder that all images may be brought to. */
export type Sizes = Pick<Tried, 'usual' | 'largest'>

/** Every parameter that any kind of the step may have. */
function beginningOf(name: StepName, usual: Usual): Record<string, unknown> {
  const { width, height } = usual ?? { width: 512, height: 512 }
  const smaller = { width: Math.max(1, Math.round(width / 2)), height: Math.max(1, Math.round(height / 2)) }
  const most = Math.max(width, height)
  const begin: Record<StepName, Record<string, unknown>> = {
    size: { how: 'stretch', ...smaller },
    crop: { how: 'centre', ...smaller, left: 0, top: 0, above: 5, margin: 0 },
    pad: { fill: 'black', width: most, height: most },
    rotate: { degrees: 90 },
    flip: { axis: 'horizontal' },
    grey: {},
    window: usual?.isVolume ? { centre: 40, width: 400 } : { centre: 128, width: 256 },
    normalise: { how: 'percentile', low: 1, high: 99 },
    clahe: { tiles: 8, clip: 2 },
    denoise: { how: 'median', radius: 1, sigma: 1, strength: 1 },
    bias: { degree: 2 },
    index: { others: 'background', colours: [{ colour: FIRST, value: 1 }] },
    tiles: { width: 256, height: 256, overlap: 0 },
    grow: { how: 'grow', radius: 2, value: 0 },
    fill: { value: 0 },
    pieces: { how: 'largest', least: 100, value: 0 },
    remap: { rest: 'stay', map: [{ from: 255, to: 1 }] },
  }
  return begin[name]
}

/** A step with a sensible beginning; null where the folder's own numbers are beyond what may be. */
export const newStep = (name: StepName, usual: Usual): Step | null =>
  stepSchema.safeParse({ do: name, ...beginningOf(name, usual) }).data ?? null

/** With one parameter changed; what cannot be stays as it was. */
export const changed = (step: Step, key: string, value: unknown): Step =>
  stepSchema.safeParse({ ...beginningOf(step.do, null), ...step, [key]: value }).data ?? step

/** Tiles make several images of one, so they stay last. */
export function added(recipe: Recipe, step: Step): Recipe {
  const last = recipe.steps.at(-1)
  const at = last?.do === 'tiles' ? recipe.steps.length - 1 : recipe.steps.length
  return { ...recipe, steps: [...recipe.steps.slice(0, at), step, ...recipe.steps.slice(at)] }
}

export function moved(recipe: Recipe, from: number, to: number): Recipe {
  const steps = [...recipe.steps]
  const [step] = steps.splice(from, 1)
  if (!step || to < 0 || to > steps.length) return recipe
  steps.splice(to, 0, step)
  return steps.slice(0, -1).some((one) => one.do === 'tiles') ? recipe : { ...recipe, steps }
}

/** Folders whose names say that masks lie in them, in the languages of the product. */
export const saysMask = (path: string): boolean =>
  /(^|[^a-z])(masks?|segm\w*|annot\w*|labels?|gt|ground.?truth)([^a-z]|$)|掩|标注|分割|маск|разметк/i.test(
    path.slice(path.lastIndexOf('/') + 1),
  )
