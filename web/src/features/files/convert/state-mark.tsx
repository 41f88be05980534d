import {
  CheckCircleFilled,
  ClockCircleOutlined,
  ExclamationCircleFilled,
  MinusCircleOutlined,
  SyncOutlined,
} from '@ant-design/icons'
import type { ConversionState } from '@neuroloom/contract/conversions'
import { useTranslation } from 'react-i18next'
import styles from './convert.module.css'

const icons = {
  waiting: ClockCircleOutlined,
  converting: SyncOutlined,
  done: CheckCircleFilled,
  failed: ExclamationCircleFilled,
  cancelled: MinusCircleOutlined,
} as const

/** The state as a word and a sign, never as a colour alone. */
export function StateMark({ state }: { state: ConversionState }) {
  const { t } = useTranslation('viewing')
  const Icon = icons[state]
  return (
    <span className={styles.mark} data-state={state}>
      <Icon spin={state === 'converting'} aria-hidden />
      {t(`states.${state}`)}
    </span>
  )
}
