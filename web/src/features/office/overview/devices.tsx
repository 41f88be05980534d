import type { Answer } from '@neuroloom/contract/calls'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { formatBytes, formatDate, formatNumber } from '../../../lib/format.ts'
import list from '../../../ui/list.module.css'
import { StateMark } from '../../../ui/state-mark.tsx'
import styles from './overview.module.css'

/** What computes runs, and whether it still reports. */
export function Devices({ devices }: { devices: Answer<'office/overview'>['devices'] }) {
  const { t } = useTranslation('operations')
  const title = useId()
  return (
    <section className={styles.section} aria-labelledby={title}>
      <h2 id={title}>{t('devices.title')}</h2>
      {devices.length === 0 && <p>{t('devices.none')}</p>}
      {devices.length > 0 && (
        <table className={list.list}>
          <thead>
            <tr>
              <th>{t('devices.name')}</th>
              <th className={list.wide}>{t('devices.memory')}</th>
              <th>{t('devices.state')}</th>
              <th className={list.wide}>{t('devices.seen')}</th>
            </tr>
          </thead>
          <tbody>
            {devices.map(({ worker, kind, number, memoryBytes, isThere, runs, seenAt }) => (
              <tr key={worker}>
                <td>
                  {t(`devices.kind.${kind}`, { number: formatNumber(number), count: number })}
                  <small>
                    <code>{worker}</code>
                  </small>
                </td>
                <td className={list.wide}>{formatBytes(memoryBytes)}</td>
                <td>
                  {!isThere && <StateMark state="failed" text={t('devices.gone')} />}
                  {isThere && runs > 0 && <StateMark state="running" text={t('devices.busy')} />}
                  {isThere && runs === 0 && <StateMark state="done" text={t('devices.free')} />}
                </td>
                <td className={list.wide}>{formatDate(seenAt, 'minute')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}
