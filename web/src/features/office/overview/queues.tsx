import type { Answer } from '@neuroloom/contract/calls'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/format.ts'
import list from '../../../ui/list.module.css'
import styles from './overview.module.css'

type Figures = Pick<Answer<'office/overview'>, 'kinds' | 'jobs'>

/** What waits and computes: runs by kind, and the work behind the pages. */
export function Queues({ figures: { kinds, jobs } }: { figures: Figures }) {
  const { t } = useTranslation('operations')
  const title = useId()
  return (
    <section className={styles.section} aria-labelledby={title}>
      <h2 id={title}>{t('queues.title')}</h2>
      {kinds.length === 0 && jobs.length === 0 && <p>{t('queues.none')}</p>}
      {kinds.length > 0 && (
        <table className={list.list} aria-label={t('queues.runs')}>
          <thead>
            <tr>
              <th>{t('queues.runs')}</th>
              <th>{t('state.running')}</th>
              <th>{t('state.queued')}</th>
              <th>{t('state.paused')}</th>
            </tr>
          </thead>
          <tbody>
            {kinds.map(({ kind, waiting, running, paused }) => (
              <tr key={kind}>
                <td>{t(`queues.kind.${kind}`)}</td>
                <td>{formatNumber(running)}</td>
                <td>{formatNumber(waiting)}</td>
                <td>{formatNumber(paused)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {jobs.length > 0 && (
        <table className={list.list} aria-label={t('queues.jobs')}>
          <thead>
            <tr>
              <th>{t('queues.jobs')}</th>
              <th>{t('state.running')}</th>
              <th>{t('state.queued')}</th>
            </tr>
          </thead>
          <tbody>
            {jobs.map(({ name, waiting, running }) => (
              <tr key={name}>
                <td>
                  <code>{name}</code>
                </td>
                <td>{formatNumber(running)}</td>
                <td>{formatNumber(waiting)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}
