import { InfoCircleFilled, StopFilled } from '@ant-design/icons'
import { type FlowProblem, flowDirections, flowFileFaults } from '@neuroloom/contract/flow/study'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { formatBytes, formatNumber } from '../../../lib/format.ts'
import { Panel } from '../../../ui/page.tsx'
import { toMs } from '../words.ts'
import styles from './settle.module.css'

/** What stands in the way first, then what is good to know; each with what helps. */
export function ProblemList({ problems }: { problems: readonly FlowProblem[] }) {
  const { t } = useTranslation('flow')
  if (problems.length === 0) return null
  const sorted = problems.toSorted((a, b) => Number(b.isBlocking) - Number(a.isBlocking))
  return (
    <Panel title={t('problems.title')}>
      <ul className={styles.problems}>
        {sorted.map((problem) => (
          <li key={JSON.stringify(problem)} data-blocking={problem.isBlocking}>
            <span className={styles.kind}>
              {problem.isBlocking ? <StopFilled aria-hidden /> : <InfoCircleFilled aria-hidden />}
              {t(problem.isBlocking ? 'problems.blocking' : 'problems.note')}
            </span>
            <div>
              <strong>{t(`problem.${problem.reason}`, paramsOf(problem, t))}</strong>
              <p>{t(`remedy.${problem.reason}`)}</p>
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function paramsOf({ params }: FlowProblem, t: TFunction<'flow'>): Record<string, string> {
  const isOfBytes = 'bytes' in params
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, textOf({ name, value, isOfBytes }, t)]),
  )
}

type Param = { name: string; value: string | number; isOfBytes: boolean }

function textOf({ name, value, isOfBytes }: Param, t: TFunction<'flow'>): string {
  if (name === 'direction') {
    const known = flowDirections.find((direction) => direction === value)
    return known ? t(`direction.${known}`) : String(value)
  }
  const fault = flowFileFaults.find((one) => name === 'why' && one === value)
  if (fault) return t(`fault.${fault}`)
  if (typeof value === 'string') return value
  // The server tells times in seconds.
  if (name === 'period' || name === 'span') return formatNumber(toMs(value))
  return isOfBytes ? formatBytes(value) : formatNumber(value, 2)
}
