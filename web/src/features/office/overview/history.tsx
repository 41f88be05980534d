import type { Answer } from '@neuroloom/contract/calls'
import type { Sample } from '@neuroloom/contract/office/operations'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDate, formatNumber, formatPercent } from '../../../lib/format.ts'
import { DayBars } from '../../../ui/charts/day-bars.tsx'
import styles from './overview.module.css'

type Plot = { key: 'processor' | 'memory' | 'runs'; value: (sample: Sample) => number; format: Format }
type Format = (value: number) => string

const asShare: Format = (value) => formatPercent(value, 0)

const plots: readonly Plot[] = [
  { key: 'processor', value: ({ processor }) => processor, format: asShare },
  { key: 'memory', value: ({ memory }) => memory, format: asShare },
  { key: 'runs', value: ({ waiting, running }) => waiting + running, format: (value) => formatNumber(value) },
]

/** The last hour, minute by minute, as far as the server process remembers it. */
export function History({ history }: { history: Answer<'office/overview'>['history'] }) {
  const { t } = useTranslation('operations')
  const title = useId()
  const { samples, since } = history
  const [first, last] = [samples[0], samples.at(-1)]
  return (
    <section className={styles.section} aria-labelledby={title}>
      <h2 id={title}>{t('history.title')}</h2>
      <p className={styles.soft}>
        {t(first ? 'history.since' : 'history.none', { date: formatDate(since, 'minute') })}
      </p>
      {first && last && (
        <div className={styles.plots}>
          {plots.map(({ key, value, format }) => (
            <DayBars
              key={key}
              title={t(`history.${key}`)}
              summary={format(value(last))}
              bars={samples.map((sample) => ({ label: formatDate(sample.at), value: value(sample) }))}
              // A share is drawn against the whole.
              {...(key === 'runs' ? {} : { top: 1 })}
              format={format}
              columns={{ day: t('history.time'), value: t(`history.${key}`) }}
              ends={[formatDate(first.at, 'time'), formatDate(last.at, 'time')]}
            />
          ))}
        </div>
      )}
    </section>
  )
}
