import type { DayFigures } from '@neuroloom/contract/office/operations'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { formatBytes, formatDate, formatNumber } from '../../../lib/format.ts'
import { formatFen } from '../../../lib/format-money.ts'
import { DayBars } from '../../../ui/charts/day-bars.tsx'
import styles from './overview.module.css'

type Counted = Exclude<keyof DayFigures, 'day'>

/** What happened day by day. */
export function Plots({ days }: { days: readonly DayFigures[] }) {
  const { t } = useTranslation('operations')
  const title = useId()
  const isSold = days.some(({ paidFen }) => paidFen !== null)
  const whole = (value: number): string => formatNumber(value)
  const plots: { key: Counted; format: (value: number) => string; trouble?: Counted }[] = [
    { key: 'newMembers', format: whole },
    { key: 'endedRuns', format: whole, trouble: 'failedRuns' },
    { key: 'storedBytes', format: formatBytes },
    ...(isSold ? [{ key: 'paidFen' as const, format: formatFen }] : []),
  ]
  const ends: [string, string] = [dayName(days[0]?.day), dayName(days.at(-1)?.day)]
  return (
    <section className={styles.section} aria-labelledby={title}>
      <h2 id={title}>{t('plots.title', { count: days.length })}</h2>
      <div className={styles.plots}>
        {plots.map(({ key, format, trouble }) => (
          <DayBars
            key={key}
            title={t(`plots.${key}`)}
            summary={format(sumOf(days, key))}
            bars={days.map((one) => ({
              label: dayName(one.day),
              value: one[key] ?? 0,
              ...(trouble && { trouble: one[trouble] ?? 0 }),
            }))}
            format={format}
            columns={{ day: t('plots.day'), value: t(`plots.${key}`) }}
            ends={ends}
          />
        ))}
      </div>
    </section>
  )
}

export const sumOf = (days: readonly DayFigures[], key: Counted): number =>
  days.reduce((sum, one) => sum + (one[key] ?? 0), 0)

const dayName = (day: string | undefined): string => (day ? formatDate(`${day}T12:00:00Z`, 'day') : '')
