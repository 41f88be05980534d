import { type ProblemData, problemKey } from '@neuroloom/contract/network/problems'
import { useTranslation } from 'react-i18next'

type Told = { code: string; data: ProblemData }

/** A mistake in plain words; names of settings as the inspector shows them. */
export function useProblemText(): (problem: Told) => string {
  const { t } = useTranslation('networks')
  return (problem) => t(`graphError.${problemKey(problem)}`, { ...problem.data })
}
