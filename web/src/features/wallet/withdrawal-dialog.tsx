import type { Withdrawal } from '@neuroloom/contract/membership/wallet'
import { Modal } from 'antd'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { formatDate } from '../../lib/format.ts'
import { formatFen } from '../../lib/format-money.ts'
import { useCall } from '../../lib/query.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { type Fact, Facts } from '../../ui/facts.tsx'
import { Loading } from '../../ui/loading.tsx'
import { WalletMark } from './wallet-marks.tsx'

type WithdrawalDialogProps = { withdrawalNo: string; onClose: () => void }

/** One withdrawal: where the money goes, and what became of it. */
export function WithdrawalDialog({ withdrawalNo, onClose }: WithdrawalDialogProps) {
  const { t } = useTranslation('wallet')
  const { data, error, refetch } = useCall('wallet/withdrawal', { withdrawalNo }, { quiet: true })
  return (
    <Modal open centered width={520} title={t('withdrawal.title')} footer={null} onCancel={onClose}>
      {data && <Facts facts={factsOf(data, t)} />}
      {!data && error && <ErrorState error={error} retry={() => void refetch()} />}
      {!data && !error && <Loading shape="rows" count={4} />}
    </Modal>
  )
}

function factsOf(withdrawal: Withdrawal, t: TFunction<'wallet'>): Fact[] {
  const { withdrawalNo, amountFen, status, method, payee, askedAt, reviewedAt, reference, reason } =
    withdrawal
  return [
    [t('withdrawal.number'), withdrawalNo],
    [t('withdrawal.amount'), formatFen(amountFen)],
    [t('records.status'), <WalletMark key="status" status={status} />],
    [t('payee.method'), t(`payee.methods.${method}`)],
    [t('payee.field.name'), payee?.name ?? null],
    [t('payee.field.bank'), payee?.bank ?? null],
    [t(`payee.field.account_${method}`), payee?.account ?? null],
    [t('withdrawal.asked'), formatDate(askedAt, 'minute')],
    [t('withdrawal.reviewed'), reviewedAt === null ? null : formatDate(reviewedAt, 'minute')],
    [t('withdrawal.reference'), reference],
    [t('withdrawal.reason'), reason],
  ]
}
