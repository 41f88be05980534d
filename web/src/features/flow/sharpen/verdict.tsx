import { CheckCircleFilled, MinusCircleOutlined } from '@ant-design/icons'
import type { FlowTrained } from '@neuroloom/contract/flow/sharpen'
import { useTranslation } from 'react-i18next'
import { formatPercent } from '../../../lib/format.ts'
import styles from './sharpen.module.css'

type Props = Pick<FlowTrained, 'gain' | 'wins'> & {
  /** Flows kept aside. */
  count: number
}

/** Whether a network beat interpolation on flows that it had not seen, and what helps where it did not. */
export function Verdict({ gain, wins, count }: Props) {
  const { t } = useTranslation('flow-sharpen')
  const numbers = {
    gain: formatPercent(gain.mean),
    low: formatPercent(gain.low),
    high: formatPercent(gain.high),
    flows: t('verdict.counted', { count }),
  }
  const Icon = wins ? CheckCircleFilled : MinusCircleOutlined
  return (
    <p className={styles.verdict} data-wins={wins}>
      <Icon aria-hidden />
      <span>{t(wins ? 'verdict.won' : 'verdict.lost', numbers)}</span>
    </p>
  )
}
