/** What a training with other settings than the suggested ones takes: the suggestion's forecast, stretched. Pure. */
import { workOf } from '@neuroloom/contract/forecast'
import type { Suggestion } from '@neuroloom/contract/runs'
import type { Hyper, Validation } from '@neuroloom/contract/suggest/hyper'
import type { Task } from '@neuroloom/contract/task'

export type Wish = { hyper: Hyper; validation: Validation }

/** Null where nothing could be counted. */
export function foreseenSeconds(suggestion: Suggestion, task: Task, wish: Wish): number | null {
  if (suggestion.forecastSeconds === null) return null
  return suggestion.forecastSeconds * (sizeOf(task, wish) / sizeOf(task, suggestion))
}

/** In any unit: a network's operations grow with the pixels that it is given. */
function sizeOf(task: Task, { hyper, validation }: Wish): number {
  const macs = hyper.imageSize[0] * hyper.imageSize[1] * hyper.depth
  const cost = { macs, grouped: 0, elements: 0, calls: 0, weights: 0, isRandom: false }
  return workOf({ kind: 'train', task, items: 1, hyper, validation, cost }).macs
}
