import type { Answer } from '@neuroloom/contract/calls'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDate } from '../../../lib/format.ts'
import { textParams } from '../../../lib/text-params.ts'
import styles from './overview.module.css'

/** What failed last: runs with their reason, and work behind the pages that was given up. */
export function Failures({ failures: { runs, jobs } }: { failures: Answer<'office/overview'>['failures'] }) {
  const { t } = useTranslation(['operations', 'results'])
  const title = useId()
  return (
    <section className={styles.section} aria-labelledby={title}>
      <h2 id={title}>{t('failures.title')}</h2>
      {runs.length === 0 && jobs.length === 0 && <p>{t('failures.none')}</p>}
      <ul className={styles.failures}>
        {runs.map(({ id, kind, number, error, endedAt }) => (
          <li key={id}>
            <strong>{t('failures.run', { kind: t(`queues.kind.${kind}`), number })}</strong>{' '}
            {error && t(`results:runError.${error.code}.what`, textParams(error.params))}
            {endedAt !== null && <span className={styles.soft}> {formatDate(endedAt, 'minute')}</span>}
          </li>
        ))}
        {jobs.map(({ name, at }) => (
          <li key={`${name} ${at}`}>
            <code>{name}</code> {t('failures.job')}
            <span className={styles.soft}> {formatDate(at, 'minute')}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
