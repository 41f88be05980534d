import type { Dataset } from '@neuroloom/contract/datasets'
import type { Run } from '@neuroloom/contract/runs'

/** What a project waits for, so that the page can point at exactly one thing to do. */
export type Journey = 'add_data' | 'checking_data' | 'repair_data' | 'train' | 'follow' | 'read_result'

export const canTrainOn = (dataset: Dataset): boolean =>
  dataset.state === 'ready' &&
  dataset.parts.some(({ part }) => part === 'image') &&
  dataset.parts.some(({ part }) => part === 'label')

export const isActive = (run: Pick<Run, 'state'>): boolean =>
  run.state === 'queued' || run.state === 'running'

export function journeyOf(datasets: readonly Dataset[], runs: readonly Run[]): Journey {
  if (runs.some(isActive)) return 'follow'
  if (datasets.some(canTrainOn)) return runs.some(({ state }) => state === 'done') ? 'read_result' : 'train'
  if (datasets.some(({ state }) => state === 'checking')) return 'checking_data'
  return datasets.length > 0 ? 'repair_data' : 'add_data'
}
