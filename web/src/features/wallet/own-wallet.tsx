import type { Answer } from '@neuroloom/contract/calls'
import { Alert, Button } from 'antd'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatFen } from '../../lib/format-money.ts'
import { useCall } from '../../lib/query.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Facts } from '../../ui/facts.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { Loading } from '../../ui/loading.tsx'
import styles from './wallet.module.css'
import { WalletRecords } from './wallet-records.tsx'

const WithdrawDialog = lazyPart(async () => (await import('./withdraw-dialog.tsx')).WithdrawDialog, {
  over: true,
})
const StatementDialog = lazyPart(async () => (await import('./statement-dialog.tsx')).StatementDialog, {
  over: true,
})

type Balance = Answer<'wallet/balance'>

/** The member's money: how much there is, getting it paid out, statements, and every record. */
export function OwnWallet() {
  const { data, error, refetch } = useCall('wallet/balance', {}, { quiet: true })
  if (data) return <Wallet balance={data} />
  return error ? (
    <ErrorState error={error} retry={() => void refetch()} />
  ) : (
    <Loading shape="rows" count={4} />
  )
}

function Wallet({ balance }: { balance: Balance }) {
  const { t } = useTranslation('wallet')
  const [open, setOpen] = useState<'withdraw' | 'statement' | null>(null)
  const close = () => setOpen(null)
  const { availableFen, notRecordedFen, underReviewFen, isTrial } = balance
  return (
    <>
      <strong className={styles.balance}>{t('balance', { amount: formatFen(availableFen) })}</strong>
      <p className={styles.about}>{t('about')}</p>
      {isTrial && <Alert type="info" showIcon title={t('trial')} className={styles.trial ?? ''} />}
      <Facts
        facts={[
          [t('notRecorded'), formatFen(notRecordedFen)],
          [t('underReview'), formatFen(underReviewFen)],
        ]}
      />
      <div className={styles.actions}>
        <Button type="primary" disabled={availableFen === 0} onClick={() => setOpen('withdraw')}>
          {t('withdraw.open')}
        </Button>
        <Button onClick={() => setOpen('statement')}>{t('statement.open')}</Button>
      </div>
      <WalletRecords />
      <Suspense>
        {open === 'withdraw' && <WithdrawDialog availableFen={availableFen} onClose={close} />}
        {open === 'statement' && <StatementDialog onClose={close} />}
      </Suspense>
    </>
  )
}
