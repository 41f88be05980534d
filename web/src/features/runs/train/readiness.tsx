import { CheckCircleFilled } from '@ant-design/icons'
import type { Suggestion } from '@neuroloom/contract/runs'
import type { Task } from '@neuroloom/contract/task'
import { useTranslation } from 'react-i18next'
import { formatBytes, formatNumber } from '../../../lib/format.ts'
import { ReadinessAlerts } from '../../../ui/readiness-alerts.tsx'
import styles from './settings.module.css'

/** What stands in the way of a start, what is worth knowing, and whether the device has the memory. */
export function Readiness({ suggestion, task }: { suggestion: Suggestion; task: Task }) {
  const { t } = useTranslation('runs')
  return (
    <section className={styles.readiness} aria-label={t('readiness.title')}>
      <ReadinessAlerts suggestion={suggestion} task={task} />
      {suggestion.blockers.length === 0 ? (
        <p className={styles.ready}>
          <CheckCircleFilled aria-hidden className={styles.readyIcon} /> {t('readiness.ready')}
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
        <meter
          className={styles.meter}
          value={share}
          max={1}
          high={0.9}
          aria-label={t('readiness.memoryLabel')}
        />
      )}
      <span>
        {text} · {t('readiness.parameters', { count: parameters, value: formatNumber(parameters, 0) })}
      </span>
    </div>
  )
}
