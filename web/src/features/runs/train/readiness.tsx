import { CheckCircleFilled } from '@ant-design/icons'
import { isNearlyFull } from '@neuroloom/contract/membership/counted'
import type { Suggestion } from '@neuroloom/contract/runs'
import type { Task } from '@neuroloom/contract/task'
import { useTranslation } from 'react-i18next'
import { formatBytes, formatNumber, formatPercent } from '../../../lib/format.ts'
import bar from '../../../ui/limits/meter-bar.module.css'
import { ReadinessAlerts } from '../../../ui/readiness-alerts.tsx'
import styles from './settings.module.css'

/** What stands in the way of a start, what is worth knowing, and whether the device has the memory. */
export function Readiness({ suggestion, task }: { suggestion: Suggestion; task: Task }) {
  const { t } = useTranslation('runs')
  const cautions = suggestion.cautions.length
  return (
    <section className={styles.readiness} aria-label={t('readiness.title')}>
      <ReadinessAlerts suggestion={suggestion} task={task} />
      {suggestion.blockers.length === 0 ? (
        <p className={styles.ready} data-cautions={cautions > 0}>
          <CheckCircleFilled aria-hidden />{' '}
          {cautions > 0 ? t('readiness.readyCautions', { count: cautions }) : t('readiness.ready')}
        </p>
      ) : null}
      {/* Nothing can be counted of a network that does not fit. */}
      {suggestion.parameters > 0 ? <Memory suggestion={suggestion} /> : null}
    </section>
  )
}

function Memory({ suggestion }: { suggestion: Suggestion }) {
  const { t } = useTranslation('runs')
  const { memoryBytes, deviceMemoryBytes, parameters } = suggestion
  const share = deviceMemoryBytes ? Math.min(1, memoryBytes / deviceMemoryBytes) : null
  const text =
    deviceMemoryBytes === null
      ? t('readiness.memoryAlone', { need: formatBytes(memoryBytes) })
      : t('readiness.memory', { need: formatBytes(memoryBytes), have: formatBytes(deviceMemoryBytes) })
  return (
    <div className={styles.memory}>
      {share === null ? null : (
        <span className={styles.meter}>
          <meter
            className={bar.bar}
            data-fill={fillOf(share)}
            value={share}
            max={1}
            aria-label={t('readiness.memoryLabel')}
            aria-valuetext={formatPercent(share, 0)}
          />
        </span>
      )}
      <span>
        {text} · {t('readiness.parameters', { count: parameters, value: formatNumber(parameters, 0) })}
      </span>
    </div>
  )
}

function fillOf(share: number): 'free' | 'nearlyFull' | 'full' {
  if (share >= 1) return 'full'
  return isNearlyFull(share, 1) ? 'nearlyFull' : 'free'
}
