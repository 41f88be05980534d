import { Tooltip } from 'antd'
import { useTranslation } from 'react-i18next'
import styles from '../run.module.css'

/** A metric by the name its field uses, with a plain explanation for whoever points at or focuses it. */
export function MetricName({ name }: { name: string }) {
  const { t, i18n } = useTranslation('runs')
  const about = `metric.${name}.about`
  const title = t(`metric.${name}.name`, { defaultValue: name })
  if (!i18n.exists(about, { ns: 'runs' })) return <>{title}</>
  return (
    <Tooltip title={t(about)}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the explanation must open by keyboard too */}
      <span className={styles.metricName} tabIndex={0}>
        {title}
      </span>
    </Tooltip>
  )
}
