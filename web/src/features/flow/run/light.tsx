import { CheckCircleFilled, CloseCircleFilled, QuestionCircleFilled, WarningFilled } from '@ant-design/icons'
import type { FlowLight } from '@neuroloom/contract/flow/run'
import { useTranslation } from 'react-i18next'
import styles from './run.module.css'
import { lightValue } from './words.ts'

const icons = {
  green: CheckCircleFilled,
  amber: WarningFilled,
  red: CloseCircleFilled,
  grey: QuestionCircleFilled,
} as const satisfies Record<FlowLight['colour'], unknown>

/** A sign and a word, never a colour alone. */
export function LightMark({ colour }: Pick<FlowLight, 'colour'>) {
  const { t } = useTranslation('flow-run')
  const Icon = icons[colour]
  return (
    <span className={styles.mark} data-colour={colour}>
      <Icon aria-hidden /> {t(`colour.${colour}`)}
    </span>
  )
}

/** One light with its value and goal, and what to do where it is not green. */
export function LightRow({ light }: { light: FlowLight }) {
  const { t } = useTranslation('flow-run')
  const { name, value, unit, good, isMoreBetter, colour, why, numbers } = light
  const goal = t(isMoreBetter ? 'goal.least' : 'goal.most', { goal: lightValue(good, unit, t) })
  return (
    <li className={styles.light}>
      <LightMark colour={colour} />
      <span className={styles.lightName}>{t(`light.${name}`)}</span>
      <span className={styles.lightValue}>
        {value === null ? '–' : <strong>{lightValue(value, unit, t)}</strong>} <small>{goal}</small>
      </span>
      {why !== null && (
        // What a refusal advises is of no use to a light.
        <p className={styles.todo}>
          {t(why === 'one_frame' ? 'lights.oneFrame' : `refusal.${why}`, numbers)}
        </p>
      )}
      {why === null && colour !== 'green' && <p className={styles.todo}>{t(`todo.${name}`)}</p>}
    </li>
  )
}
