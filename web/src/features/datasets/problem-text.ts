/** A reason in words: which file says it in which line decides between the forms of a sentence. */
import type { Problem } from '@neuroloom/contract/datasets'
import type { TFunction } from 'i18next'

export const problemText = ({ reason, params }: Problem, t: TFunction<'datasets'>): string =>
  t(`problem.${reason}`, { ...params, context: formOf(params) })

/** What to do about it, which depends on the kind of file. */
export const remedyText = ({ path, reason, params }: Problem, t: TFunction<'datasets'>): string =>
  t(`remedy.${reason}`, { ...params, context: /\.nii(\.gz)?$/i.test(path) ? 'volume' : '' })

/** Zero stands for "as a whole" in what the server tells. */
function formOf({ line, number, depth, factor }: Problem['params']): string {
  if (typeof line === 'number' && line > 0) return 'line'
  if (number !== undefined) return 'number'
  if (depth !== undefined) return 'volume'
  return factor === 0 ? 'none' : ''
}
