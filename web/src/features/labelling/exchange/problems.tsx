import type { ExchangeProblem } from '@neuroloom/contract/labelling/exchange'
import { Collapse } from 'antd'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/format.ts'
import styles from './exchange.module.css'

/** As many as a window holds. */
const SHOWN = 100

type Props = { problems: readonly ExchangeProblem[]; count: number; isOpen?: boolean }

/** What was wrong in files, each with a remedy. */
export function Problems({ problems, count, isOpen = false }: Props) {
  const { t } = useTranslation('label-exchange')
  if (count === 0) return null
  const lines = problems.slice(0, SHOWN).map(({ path, reason, params }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: one file may appear twice with the same reason
    <li key={index}>
      <strong>{placeOf(path, params)}</strong> {t(`problem.${reason}`, params)}
    </li>
  ))
  const label = t('problemsTitle', { count, shown: formatNumber(count) })
  const children = <ul className={styles.list}>{lines}</ul>
  return (
    <Collapse defaultActiveKey={isOpen ? ['problems'] : []} items={[{ key: 'problems', label, children }]} />
  )
}

/** The line, or which entry of a list. */
function placeOf(path: string, { line, number }: ExchangeProblem['params']): string {
  if (typeof line === 'number' && line > 0) return `${path}:${line}`
  return number === undefined ? path : `${path} #${number}`
}
