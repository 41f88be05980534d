import type { Evidence } from '@neuroloom/contract/evidence'
import type { Task } from '@neuroloom/contract/task'
import { useTranslation } from 'react-i18next'
import { useClassName } from '../../../lib/class-name.ts'
import { formatNumber } from '../../../lib/format.ts'
import { ScrollRegion } from '../../../ui/scroll-region.tsx'
import tables from '../results/tables.module.css'
import styles from './evidence.module.css'

/** How far apart the drawn and the true outlines lie. */
export function SurfaceTable({ evidence, task }: { evidence: Evidence; task: Task }) {
  const { t } = useTranslation('evidence')
  const classNameOf = useClassName(task)
  return (
    <>
      <p className={styles.lead}>{t('surfaces.lead', { context: task })}</p>
      <ScrollRegion name={t('surfaces.title', { context: task })} className={tables.scroll}>
        <table className={tables.table}>
          <thead>
            <tr>
              <th scope="col">{t('surfaces.class')}</th>
              {(['mean', 'range', 'median', 'measured'] as const).map((column) => (
                <th key={column} scope="col" className={tables.number}>
                  {t(`surfaces.${column}`, { context: task })}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {evidence.surfaces.map(({ class: name, mean, median, interval, measured }) => (
              <tr key={name}>
                <th scope="row">{classNameOf(name)}</th>
                <td className={tables.number}>{distance(mean)}</td>
                <td className={tables.number}>
                  {interval === null ? '–' : `${distance(interval[0])} – ${distance(interval[1])}`}
                </td>
                <td className={tables.number}>{distance(median)}</td>
                <td className={tables.number}>
                  {t('surfaces.of', {
                    measured: formatNumber(measured),
                    items: formatNumber(evidence.items),
                  })}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </>
  )
}

const distance = (value: number | null): string => (value === null ? '–' : formatNumber(value, 1))
