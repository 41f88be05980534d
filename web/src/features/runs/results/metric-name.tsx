import { figureMean, plainFigure } from '@neuroloom/contract/evidence/figure-means'
import type { LearnedRun } from '@neuroloom/contract/runs'
import { Tooltip } from 'antd'
import { useTranslation } from 'react-i18next'
import styles from '../run.module.css'

/** A metric by the name its field uses, with a plain explanation for whoever points at or focuses it. */
type Props = {
  name: string
  /** Of an overall figure: whose, so that the name says what it is a mean of. */
  of?: Pick<LearnedRun, 'task' | 'metrics' | 'perClass'>
}

export function MetricName({ name, of }: Props) {
  const { t, i18n } = useTranslation(['runs', 'figures'])
  const about = `metric.${name}.about`
  const mean = of ? figureMean(name, of) : null
  const plain = t(`metric.${mean ? plainFigure(name) : name}.name`, { defaultValue: name })
  const title = mean ? t(`figures:mean.${mean.kind}`, { ...mean, name: plain }) : plain
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
