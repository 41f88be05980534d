/** How much of a limit of the membership is used: words, and a bar that warns from 80 % on. Says nothing where there is no limit. */
import { isNearlyFull } from '@neuroloom/contract/membership/counted'
import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './limit-meter.module.css'
import bar from './meter-bar.module.css'
import { UpgradeLink } from './upgrade-link.tsx'

type Props = {
  /** "4 of 6 projects" */
  label: string
  used: number
  limit: number | null
  /** On the right: what may be done about it. Where it is nearly full and nothing is said, the way to a higher level. */
  action?: ReactNode
}

export function LimitMeter({ label, used, limit, action }: Props) {
  const { t } = useTranslation('levels')
  const id = useId()
  if (limit === null) return null
  const state = stateOf(used, limit)
  return (
    <div className={`${styles.meter} ${styles[state]}`}>
      <div className={styles.line}>
        <span id={id}>{label}</span>
        {state !== 'free' && <strong>{t(`used.${state}`)}</strong>}
        <span className={styles.action}>{action ?? (state !== 'free' && <UpgradeLink />)}</span>
      </div>
      {limit > 0 && (
        <meter
          className={bar.bar}
          data-fill={state}
          aria-labelledby={id}
          aria-valuetext={state === 'free' ? label : `${label}. ${t(`used.${state}`)}`}
          max={limit}
          value={Math.min(used, limit)}
        />
      )}
    </div>
  )
}

function stateOf(used: number, limit: number): 'none' | 'free' | 'nearlyFull' | 'full' {
  if (limit === 0) return 'none'
  if (used >= limit) return 'full'
  return isNearlyFull(used, limit) ? 'nearlyFull' : 'free'
}
