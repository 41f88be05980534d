import {
  type InvoiceDraft,
  invoiceFormOf,
  invoiceProblems,
  noInvoice,
} from '@neuroloom/contract/membership/invoice'
import { fenOf } from '@neuroloom/contract/membership/money'
import { type PayMethod, payMethods } from '@neuroloom/contract/membership/orders'
import type { Listing } from '@neuroloom/contract/shop/listing'
import { shopRules } from '@neuroloom/contract/shop/words'
import { Alert, Modal, Radio } from 'antd'
import { type ComponentType, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../lib/format.ts'
import { formatFen } from '../../lib/format-money.ts'
import { useAction, useCall } from '../../lib/query.ts'
import { RefusalText } from '../../ui/limits/refusal-text.tsx'
import { RulesCheck } from './rules-check.tsx'
import styles from './shop.module.css'

/** What must be known to pay an order. */
export type Payable = {
  orderNo: string
  method: PayMethod
  amountFen: number
  qrCodeUrl: string
  expiresAt: string
}

type Props = {
  listing: Listing
  /** The fields of an invoice, which belong to the membership. */
  Invoice: ComponentType<{
    draft: InvoiceDraft
    isChecked: boolean
    onChange: (draft: InvoiceDraft) => void
  }>
  /** An order that waits for its money. */
  onOrdered: (order: Payable) => void
  onBought: () => void
  onClose: () => void
}

/** By points, which are enough or not before anybody presses; or by money. */
export function BuyDialog({ listing, Invoice, onOrdered, onBought, onClose }: Props) {
  const { t } = useTranslation(['shop', 'common'])
  const { id, name, priceYuan, mine } = listing
  const { data } = useCall('shop/methods', {}, { quiet: true })
  const isFree = priceYuan === 0
  const isEnough = mine.points >= priceYuan
  const [wanted, setWanted] = useState<PayMethod | 'points' | null>(null)
  const [invoice, setInvoice] = useState(noInvoice)
  const [isAgreed, setAgreed] = useState(false)
  const [isAsked, setAsked] = useState(false)
  const way = wanted ?? (isFree || isEnough ? 'points' : data?.methods[0])
  const amountFen = fenOf(priceYuan)
  const buy = useAction('shop/buy', {
    quiet: true,
    refresh: ['shop/detail', 'shop/list', 'shop/held', 'payment/orders', 'points/list'],
    onDone: ({ orderNo, qrCodeUrl = '', expiresAt = '' }) => {
      if (orderNo && way && way !== 'points')
        onOrdered({ orderNo, method: way, amountFen, qrCodeUrl, expiresAt })
      else onBought()
    },
  })
  const handleBuy = () => {
    setAsked(true)
    if (!isAgreed || !way) return
    const model = { id, priceYuan, acceptRules: shopRules }
    if (way === 'points') return buy.mutate({ ...model, by: 'points' })
    const form = invoiceFormOf(invoice)
    if (Object.keys(invoiceProblems(form)).length > 0) return
    buy.mutate({ ...model, by: 'money', payMethod: payMethods[way], ...form })
  }
  return (
    <Modal
      open
      centered
      width={520}
      title={t('buy.title', { name })}
      okText={t(isFree ? 'buy.take' : 'buy.buy')}
      okButtonProps={{ loading: buy.isPending, disabled: !way || (way === 'points' && !isEnough) }}
      cancelText={t('common:cancel')}
      onOk={handleBuy}
      onCancel={onClose}
    >
      <div className={styles.form}>
        {isFree ? (
          <p>{t('buy.freeText')}</p>
        ) : (
          <>
            <p>{t('buy.price', { amount: formatFen(amountFen), points: formatNumber(priceYuan) })}</p>
            {data?.isTrial && <Alert type="info" showIcon title={t('buy.trial')} />}
            <Radio.Group
              className={styles.radio ?? ''}
              aria-label={t('buy.way')}
              value={way}
              onChange={({ target }) => setWanted(target.value)}
              options={[
                {
                  value: 'points' as const,
                  disabled: !isEnough,
                  label: t(isEnough ? 'buy.points' : 'buy.tooFew', {
                    have: formatNumber(mine.points),
                    left: formatNumber(mine.points - priceYuan),
                  }),
                },
                ...(data?.methods ?? []).map((value) => ({ value, label: t(`buy.methods.${value}`) })),
              ]}
            />
            <p className={styles.help}>{t(way === 'points' ? 'buy.noPoints' : 'buy.givesPoints')}</p>
            {way && way !== 'points' && <Invoice draft={invoice} isChecked={isAsked} onChange={setInvoice} />}
          </>
        )}
        <p className={styles.help}>{t('buy.refund')}</p>
        <RulesCheck
          isAgreed={isAgreed}
          problem={isAsked && !isAgreed ? t('rules.tick') : null}
          onChange={setAgreed}
        />
        {buy.error && (
          <p role="alert" className={styles.problem}>
            <RefusalText error={buy.error} />
          </p>
        )}
      </div>
    </Modal>
  )
}
