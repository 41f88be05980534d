import { useAction } from '../../../lib/query.ts'

/** Keeps what a member decided about a data set; all that counts its pictures or plans with them is asked again. */
export const useReadAs = (onDone?: () => void) =>
  useAction('datasets/readAs', {
    refresh: ['datasets/list', 'datasets/detail', 'projects/detail', 'projects/list', 'runs/suggest'],
    ...(onDone ? { onDone } : {}),
  })
