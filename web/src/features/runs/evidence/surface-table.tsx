import type { Evidence } from '@neuroloom/contract/evidence'
import type { Task } from '@neuroloom/contract/task'
import { useTranslation } from 'react-i18next'
import { useClassName } from '../../../lib/class-name.ts'
import { formatNumber } from '../../../lib/format.ts'
import tables from '../tables.module.css'
import styles from './evidence.module.css'

/** How far apart the drawn and the true outlines lie. */
export function SurfaceTable({ evidence, task }: { evidence: Evidence; task: Task }) {
  const { t } = useTranslation('evidence')
  const classNameOf = useClassName(task)
  return (
    <>
      <p className={styles.lead}>{t('surfaces.lead')}</p>
      <section className={tables.scroll} aria-label={t('surfaces.title')}>
        <table className={tables.table}>
          <thead>
            <tr>
              <th scope="col">{t('surfaces.class')}</th>
              {(['mean', 'range', 'median', 'measured'] as const).map((column) => (
                <th key={column} scope="col" className={tables.number}>
                  {t(`surfaces.${column}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {evidence.surfaces.map(({ class: name, mean, median, interval, measured }) => (
              <tr key={name}>
                <th scope="row">{classNameOf(name)}</th>
                <td className={tables.number}>{pixels(mean)}</td>
                <td className={tables.number}>
                  {interval === null ? '–' : `${pixels(interval[0])} – ${pixels(interval[1])}`}
                </td>
                <td className={tables.number}>{pixels(median)}</td>
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
      </section>
    </>
  )
}

const pixels = (value: number | null): string => (value === null ? '–' : formatNumber(value, 1))
