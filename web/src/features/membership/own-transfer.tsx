import { CopyOutlined } from '@ant-design/icons'
import type { Answer } from '@neuroloom/contract/calls'
import type { Order } from '@neuroloom/contract/membership/orders'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { copyText } from '../../lib/copy-text.ts'
import { formatDate } from '../../lib/format.ts'
import { toast } from '../../lib/toast.ts'
import { Facts } from '../../ui/facts.tsx'
import styles from './own.module.css'

export type Bank = NonNullable<Answer<'payment/orders'>['bank']>

/** Where to a bank transfer goes, and how it is recognised. */
export function OwnTransfer({ order, bank }: { order: Pick<Order, 'orderNo' | 'expiresAt'>; bank: Bank }) {
  const { t } = useTranslation('membership')
  const lines = [
    [t('orders.bankHolder'), bank.holder],
    [t('orders.bank'), bank.bank],
    [t('orders.bankAccount'), bank.account],
    [t('orders.reference'), order.orderNo],
  ] as const
  return (
    <section className={styles.transfer}>
      <h4>{t('orders.transferTitle')}</h4>
      <p>{t('orders.transferText', { date: formatDate(order.expiresAt, 'minute') })}</p>
      <Facts facts={lines.map(([name, value]) => [name, <Copied key={name} name={name} text={value} />])} />
    </section>
  )
}

function Copied({ name, text }: { name: string; text: string }) {
  const { t } = useTranslation('membership')
  const handleCopy = async () => {
    if (await copyText(text)) toast.success(t('orders.copied', { name }))
    else toast.error(t('orders.notCopied'))
  }
  return (
    <span className={styles.copied}>
      {text}
      <Button
        type="text"
        size="small"
        icon={<CopyOutlined aria-hidden />}
        aria-label={t('orders.copy', { name })}
        onClick={() => void handleCopy()}
      />
    </span>
  )
}
