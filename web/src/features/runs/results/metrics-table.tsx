import { classMark } from '@neuroloom/contract/evidence/class-findings'
import type { LearnedRun } from '@neuroloom/contract/runs'
import { useTranslation } from 'react-i18next'
import { useClassName } from '../../../lib/class-name.ts'
import { formatMetric } from '../../../lib/metric.ts'
import { ScrollRegion } from '../../../ui/scroll-region.tsx'
import { MetricName } from './metric-name.tsx'
import { orderedMetrics } from './metrics.ts'
import styles from './tables.module.css'

type Props = { run: Pick<LearnedRun, 'task' | 'perClass'> }

/** Every metric, class by class; a class that is missed more often than found has a mark. */
export function MetricsTable({ run }: Props) {
  const { t } = useTranslation('runs')
  const classNameOf = useClassName(run.task)
  const names = orderedMetrics(Object.assign({}, ...run.perClass.map(({ values }) => values)))
  return (
    <ScrollRegion name={t('result.perClass')} className={styles.scroll}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t('result.class')}</th>
            {names.map((name) => (
              <th key={name} scope="col" className={styles.number}>
                <MetricName name={name} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {run.perClass.map((one) => (
            <tr key={one.class}>
              <th scope="row">
                {classNameOf(one.class)}
                <Mark kind={classMark(run.task, one)} />
              </th>
              {names.map((name) => (
                <td key={name} className={styles.number}>
                  {formatMetric(name, one.values[name])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}

function Mark({ kind }: { kind: ReturnType<typeof classMark> }) {
  const { t } = useTranslation('figures')
  return kind === null ? null : <span className={styles.missed}>{t(`class.mark.${kind}`)}</span>
}
