import type { Exchange } from '@neuroloom/contract/labelling/exchange'
import { Alert, Button, Progress } from 'antd'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/format.ts'
import { useAction } from '../../../lib/query.ts'
import styles from './exchange.module.css'

/** How far it is, with a way to give it up, or why it ended without a result. */
export function ProgressPart({ exchange: { id, state, failure, done, total } }: { exchange: Exchange }) {
  const { t } = useTranslation('label-exchange')
  const cancel = useAction('labelling/cancelExchange', { refresh: ['labelling/exchanges'] })
  if (state === 'failed') return <Alert type="error" showIcon title={t(`failure.${failure ?? 'internal'}`)} />
  if (state === 'cancelled') return <Alert type="info" showIcon title={t('cancelled')} />
  if (state !== 'looking' && state !== 'working') return null
  const counts = { done: formatNumber(done), total: formatNumber(total) }
  return (
    <div className={styles.field} role="status">
      <span>{t(state, counts)}</span>
      <Progress
        percent={total === 0 ? 0 : Math.floor((100 * done) / total)}
        showInfo={false}
        status="active"
        aria-label={t(state, counts)}
      />
      <span>
        <Button size="small" loading={cancel.isPending} onClick={() => cancel.mutate({ exchangeId: id })}>
          {t('giveUp')}
        </Button>
      </span>
    </div>
  )
}
