import { type ProblemData, problemKey } from '@neuroloom/contract/network/resolve/problems'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../../lib/format.ts'
import { portName } from '../settings/port-name.ts'
import { useWords, type Words } from '../words.ts'

type Told = { code: string; data: ProblemData }

/** A mistake in plain words; settings and inputs are called as their fields are. */
export function useProblemText(): (problem: Told) => string {
  const { t } = useTranslation('networks')
  const words = useWords()
  return (problem) => t(`graphError.${problemKey(problem)}`, toldData(problem.data, words))
}

/** What a repair would do. */
export function useFixText(): (fix: { kind: string; data: ProblemData }) => string {
  const { t } = useTranslation('networks')
  const words = useWords()
  return ({ kind, data }) => t(`fix.${kind}`, toldData(data, words))
}

/** An unknown setting or port stays as it was written: there is no field of that name. */
function toldData(data: ProblemData, words: Words): Record<string, string | number> {
  const entries = Object.entries(data).map(([name, value]): [string, string | number] => {
    if (name === 'param' && data.nearest === undefined) return [name, words.setting('', String(value))]
    if (name === 'port' && data.ref === undefined) return [name, portName(String(value), 0)]
    if (name === 'op') return [name, words.title(String(value))]
    // `count` chooses the form of words besides.
    return [name, typeof value === 'number' && name !== 'count' ? formatNumber(value) : value]
  })
  return Object.fromEntries(entries)
}
