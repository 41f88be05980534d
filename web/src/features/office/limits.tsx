import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDate } from '../../lib/format.ts'
import { useCall } from '../../lib/query.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import list from '../../ui/list.module.css'
import { Loading } from '../../ui/loading.tsx'
import { ScrollRegion } from '../../ui/scroll-region.tsx'
import { type LimitLevel, type LimitName, limitNames, type OfficeLimits, shownLimit } from './limit-facts.ts'
import { LimitsDialog } from './limits-dialog.tsx'
import styles from './office.module.css'

const levels: readonly LimitLevel[] = ['ordinary', 'bronze', 'silver', 'gold']

/** What each level may have on this server; administrators set it otherwise than the product does. */
export function Limits() {
  const { t } = useTranslation(['limits', 'levels'])
  const { data, error, refetch } = useCall('plans/office', {}, { quiet: true })
  const [changing, setChanging] = useState<LimitLevel | null>(null)
  if (!data)
    return error ? <ErrorState error={error} retry={() => void refetch()} /> : <Loading shape="rows" />
  return (
    <>
      <p className={styles.lead}>{t('text')}</p>
      <ScrollRegion name={t('title')} className={styles.scroll}>
        <table className={list.list} aria-label={t('title')}>
          <thead>
            <tr>
              <th>{t('limit')}</th>
              {levels.map((level) => (
                <th key={level}>{t(`levels:${level}`)}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {limitNames.map((name) => (
              <tr key={name}>
                <td>{t(`name.${name}`)}</td>
                {levels.map((level) => (
                  <td key={level}>
                    <Limit limits={data} level={level} name={name} />
                  </td>
                ))}
              </tr>
            ))}
            <tr>
              <td />
              {levels.map((level) => (
                <td key={level}>
                  <Button
                    onClick={() => setChanging(level)}
                    aria-label={`${t('change')}: ${t(`levels:${level}`)}`}
                  >
                    {t('change')}
                  </Button>
                </td>
              ))}
            </tr>
          </tbody>
        </table>
      </ScrollRegion>
      {data.changedAt !== null && (
        <p className={styles.lead}>{t('changed', { date: formatDate(data.changedAt, 'minute') })}</p>
      )}
      {changing && <LimitsDialog limits={data} level={changing} onClose={() => setChanging(null)} />}
    </>
  )
}

function Limit({ limits, level, name }: { limits: OfficeLimits; level: LimitLevel; name: LimitName }) {
  const { t } = useTranslation('limits')
  const given = limits.overrides[level][name]
  const base = limits.levels[level][name]
  if (given === undefined || given === base) return <>{shownLimit(name, base, t('none'))}</>
  return (
    <>
      <strong>{shownLimit(name, given, t('none'))}</strong>
      <small>{t('instead', { limit: shownLimit(name, base, t('none')) })}</small>
    </>
  )
}
