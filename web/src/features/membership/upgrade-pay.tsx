import { membership as limits } from '@neuroloom/contract/limits'
import { Alert, Button } from 'antd'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatFen } from '../../lib/format-money.ts'
import { useCall } from '../../lib/query.ts'
import { QrCode } from '../../ui/pictures/qr-code.tsx'
import { OwnTransfer } from './own-transfer.tsx'
import styles from './upgrade.module.css'
import type { Payable } from './use-upgrade.ts'

type UpgradePayProps = {
  order: Payable
  onPaid: () => void
  /** Orders anew. */
  onAgain: () => void
  onClose: () => void
}

/** The code of one order, asked every 5 seconds whether it is paid; a bank transfer has its details instead. */
export function UpgradePay({ order, onPaid, onAgain, onClose }: UpgradePayProps) {
  const { t } = useTranslation(['membership', 'common'])
  const { orderNo, method, amountFen } = order
  const { data } = useCall('vip/offers', {}, { quiet: true })
  const isTransfer = method === 'transfer'
  return (
    <div className={styles.pay}>
      {data?.isTrial && <p className={styles.trial}>{t('upgrade.trial')}</p>}
      <p className={styles.amount}>{formatFen(amountFen)}</p>
      <p className={styles.order}>{t('upgrade.orderNo', { orderNo })}</p>
      {isTransfer ? (
        data?.bank && <OwnTransfer order={order} bank={data.bank} />
      ) : (
        <CodeAndState
          order={{ ...order, method }}
          isTrial={data?.isTrial === true}
          onPaid={onPaid}
          onAgain={onAgain}
        />
      )}
      <p className={styles.help}>{t(isTransfer ? 'upgrade.transferStays' : 'upgrade.stays')}</p>
      <div className={styles.actions}>
        <Button onClick={onClose}>{t('common:close')}</Button>
      </div>
    </div>
  )
}

type CodeProps = {
  order: Payable & { method: 'wechat' | 'alipay' }
  isTrial: boolean
  onPaid: () => void
  onAgain: () => void
}

const PAID = 1
const OVER = 2
const RETURNED = 3

function CodeAndState({ order, isTrial, onPaid, onAgain }: CodeProps) {
  const { t } = useTranslation('membership')
  const { orderNo, method, qrCodeUrl, expiresAt } = order
  const minutesLeft = useMinutesLeft(expiresAt)
  const { data: state } = useCall(
    `payment/${method}/payState`,
    { orderNo },
    { quiet: true, refetchInterval: ({ state: { data } }) => (data ? false : limits.pollMs), gcTime: 0 },
  )
  const isPaid = state === PAID
  useEffect(() => {
    if (isPaid) onPaid()
  }, [isPaid, onPaid])
  // In the trial an address of this server, otherwise the provider's own.
  const address = new URL(qrCodeUrl, window.location.origin).href
  if (state === OVER || state === RETURNED)
    return (
      <Alert
        type="warning"
        showIcon
        title={t(state === OVER ? 'upgrade.over' : 'upgrade.returned')}
        action={<Button onClick={onAgain}>{t('upgrade.again')}</Button>}
      />
    )
  return (
    <>
      <QrCode text={address} label={t('upgrade.qr', { amount: formatFen(order.amountFen) })} />
      <p role="status">{t(`upgrade.scan.${method}`)}</p>
      <p className={styles.help}>{t('upgrade.minutesLeft', { count: minutesLeft })}</p>
      {isTrial && (
        <a href={address} target="_blank" rel="noreferrer">
          {t('upgrade.cashier')}
        </a>
      )}
    </>
  )
}

const MINUTE_MS = 60_000

function useMinutesLeft(expiresAt: string): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), limits.pollMs)
    return () => clearInterval(timer)
  }, [])
  return Math.max(0, Math.ceil((Date.parse(expiresAt) - now) / MINUTE_MS))
}
