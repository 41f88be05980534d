import { CheckCircleFilled } from '@ant-design/icons'
import type { Suggestion } from '@neuroloom/contract/runs'
import type { Task } from '@neuroloom/contract/task'
import { Alert } from 'antd'
import { useTranslation } from 'react-i18next'
import { formatBytes, formatNumber } from '../../lib/format.ts'
import { useClassName, withClass } from './class-name.ts'
import styles from './settings.module.css'
import { textParams } from './text-params.ts'

/** What stands in the way of a start, what is worth knowing, and whether the device has the memory. */
export function Readiness({ suggestion, task }: { suggestion: Suggestion; task: Task }) {
  const { t } = useTranslation('runs')
  const classNameOf = useClassName(task)
  const unfit = useUnfit()
  const { blockers, cautions } = suggestion
  return (
    <section className={styles.readiness} aria-label={t('readiness.title')}>
      {blockers.map(({ name, params }) => (
        <Alert
          key={name}
          type="error"
          showIcon
          title={t(`blocker.${name}.title`, textParams(params))}
          description={
            name === 'network_unfit' ? unfit(params) : t(`blocker.${name}.text`, textParams(params))
          }
        />
      ))}
      {cautions.map(({ name, params }) => (
        <Alert
          key={name}
          type="warning"
          showIcon
          title={t(`caution.${name}.title`, textParams(params))}
          description={t(`caution.${name}.text`, textParams(withClass(params, classNameOf)))}
        />
      ))}
      {blockers.length === 0 ? (
        <p className={styles.ready}>
          <CheckCircleFilled aria-hidden className={styles.readyIcon} /> {t('readiness.ready')}
        </p>
      ) : null}
      {/* Nothing can be counted of a network that does not fit. */}
      {suggestion.parameters > 0 ? <Memory suggestion={suggestion} /> : null}
    </section>
  )
}

/** Why a network does not fit, by its first mistake: where it is, and what is wrong there. */
function useUnfit(): (params: Suggestion['blockers'][number]['params']) => string {
  const { t } = useTranslation(['runs', 'networks'])
  return ({ reason, ...params }) => {
    const standard = t('blocker.network_unfit.text')
    const own = t(`blocker.network_unfit.reason.${reason}`, { ...textParams(params), defaultValue: '' })
    if (own !== '') return own
    const text = t(`networks:graphError.${reason}`, { ...textParams(params), defaultValue: '' })
    if (text === '') return standard
    if (params.node === undefined) return text
    // `@image` is the path of the input `image`.
    const node = String(params.node).replace(/^@/, '')
    return t('blocker.network_unfit.reason.at', { node, text })
  }
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
