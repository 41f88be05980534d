/** Where work is, as a word and a sign; what the work is, and its words, are the caller's. */
import {
  CheckCircleFilled,
  ClockCircleOutlined,
  ExclamationCircleFilled,
  MinusCircleOutlined,
  QuestionCircleFilled,
  SyncOutlined,
} from '@ant-design/icons'
import styles from './state-mark.module.css'

const icons = {
  waiting: ClockCircleOutlined,
  running: SyncOutlined,
  /** For a person to go on with. */
  asked: QuestionCircleFilled,
  done: CheckCircleFilled,
  failed: ExclamationCircleFilled,
  cancelled: MinusCircleOutlined,
} as const

/** Never a colour alone. */
export function StateMark({ state, text }: { state: keyof typeof icons; text: string }) {
  const Icon = icons[state]
  return (
    <span className={styles.mark} data-state={state}>
      <Icon spin={state === 'running'} aria-hidden />
      {text}
    </span>
  )
}
