/** How many of the own things others have, of how many the membership allows; says nothing where there is no limit. */
import type { SharedKind } from '@neuroloom/contract/membership/counted'
import { Alert } from 'antd'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../lib/query.ts'
import { LimitMeter } from '../limits/limit-meter.tsx'
import { UpgradeLink } from '../limits/upgrade-link.tsx'
import styles from './share.module.css'

/** Before something is shared. */
export function SharedCount({ kinds }: { kinds: readonly SharedKind[] }) {
  const { t } = useTranslation('sharing')
  const { data } = useCall('plans/shared', {}, { quiet: true })
  const counted = kinds.flatMap((kind) => {
    const { used = 0, limit = null } = data?.[kind] ?? {}
    return limit === null ? [] : [{ kind, used, limit }]
  })
  if (counted.length === 0) return null
  return (
    <div className={styles.counts}>
      {counted.map(({ kind, ...count }) => (
        <LimitMeter key={kind} label={t(`count.${kind}`, count)} {...count} />
      ))}
    </div>
  )
}

/** In what others see: what comes here is shared at once, and nothing more can be. */
export function SharedFull({ kind }: { kind: SharedKind }) {
  const { t } = useTranslation('sharing')
  const { data } = useCall('plans/shared', {}, { quiet: true })
  const { used = 0, limit = null } = data?.[kind] ?? {}
  if (limit === null || used < limit) return null
  return (
    <Alert
      type="warning"
      showIcon
      title={t(`full.${kind}`, { used, limit })}
      description={
        <>
          {t('full.remedy')} <UpgradeLink />
        </>
      }
      className={styles.note ?? ''}
    />
  )
}
