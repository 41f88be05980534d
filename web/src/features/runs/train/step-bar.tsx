import { CheckOutlined } from '@ant-design/icons'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import styles from './step-bar.module.css'
import type { StepState } from './step-section.tsx'

type Step = { number: number; title: string; state: StepState }

type Props = {
  steps: readonly Step[]
  /** Of the page that the steps stand on. */
  address: string
  /** What to do next; null while something else on the page has it. */
  action: ReactNode
  /** Stays in sight; a step that is worked in has the whole window for itself. */
  isSticky: boolean
}

/** The way from data to results in one line that stays in sight, with the next thing to do at its end. */
export function StepBar({ steps, address, action, isSticky }: Props) {
  const { t } = useTranslation('runs')
  return (
    <div className={styles.bar} data-sticky={isSticky}>
      <nav aria-label={t('project.bar.label')}>
        <ol className={styles.steps}>
          {steps.map(({ number, title, state }) => (
            <li key={number} data-state={state}>
              <Link to={`${address}#step-${number}`} aria-current={state === 'next' ? 'step' : undefined}>
                <span className={styles.mark} aria-hidden="true">
                  {state === 'done' ? <CheckOutlined /> : number}
                </span>
                {title}
                {state === 'done' ? <span className="nl-hidden"> – {t('project.step.done')}</span> : null}
              </Link>
            </li>
          ))}
        </ol>
      </nav>
      {action ? <div className={styles.action}>{action}</div> : null}
    </div>
  )
}
