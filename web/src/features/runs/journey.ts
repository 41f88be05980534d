import type { Dataset } from '@neuroloom/contract/datasets'
import { isOpen } from '@neuroloom/contract/run-states'
import type { Run } from '@neuroloom/contract/runs'

/** What a project waits for, so that the page can point at exactly one thing to do. */
export type Journey =
  | 'add_data'
  | 'checking_data'
  | 'repair_data'
  | 'choose_train_set'
  | 'train'
  | 'follow'
  | 'read_result'

export const canTrainOn = (dataset: Dataset): boolean =>
  dataset.state === 'ready' &&
  dataset.parts.some(({ part }) => part === 'image') &&
  dataset.parts.some(({ part }) => part === 'label')

/** What a project keeps for testing is not learned from. */
export const isTrainSet = (dataset: Dataset): boolean => dataset.use === 'train' && canTrainOn(dataset)

export function journeyOf(datasets: readonly Dataset[], runs: readonly Run[]): Journey {
  if (runs.some(isOpen)) return 'follow'
  if (datasets.some(isTrainSet)) return runs.some(({ state }) => state === 'done') ? 'read_result' : 'train'
  if (datasets.some(({ state }) => state === 'checking')) return 'checking_data'
  if (datasets.some(canTrainOn)) return 'choose_train_set'
  return datasets.length > 0 ? 'repair_data' : 'add_data'
}
