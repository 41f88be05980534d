import type { OfficeOrder } from '@neuroloom/contract/membership/orders'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { formatDate } from '../../lib/format.ts'
import { formatFen } from '../../lib/format-money.ts'
import { levelName } from '../../lib/level-names.ts'
import { type Fact, Facts } from '../../ui/facts.tsx'
import { invoiceFacts } from './invoice-facts.ts'
import styles from './office.module.css'
import { InvoiceMark, OrderMark } from './state-marks.tsx'

/** One order with its payments and its invoice. */
export function OrderFacts({ order }: { order: OfficeOrder }) {
  const { t } = useTranslation(['office', 'levels'])
  const { invoice } = order
  return (
    <>
      <Facts facts={factsOf(order, t)} />
      <section>
        <h3>{t('order.transactions')}</h3>
        {order.transactions.length === 0 ? (
          <p className={styles.nothing}>{t('order.noTransactions')}</p>
        ) : (
          <ul className={styles.transactions}>
            {order.transactions.map(({ id, amountFen, at }) => (
              <li key={id}>
                <span className={styles.amount}>{formatFen(amountFen)}</span>
                {` · ${formatDate(at, 'minute')} · ${id}`}
              </li>
            ))}
          </ul>
        )}
      </section>
      <section>
        <h3>{t('order.invoice')}</h3>
        {invoice === null ? (
          <p className={styles.nothing}>{t('order.noInvoice')}</p>
        ) : (
          <Facts
            facts={[
              [t('order.state'), <InvoiceMark key="state" state={invoice.state} />],
              ...invoiceFacts(invoice, t),
            ]}
          />
        )}
      </section>
    </>
  )
}

function factsOf(order: OfficeOrder, t: TFunction<['office', 'levels']>): Fact[] {
  const { account, nickName, years, model, work, custom, kind } = order
  const at = (date: string | null) => (date === null ? null : formatDate(date, 'minute'))
  const money = (fen: number) => (fen === 0 ? null : formatFen(fen))
  const length = years === 0 ? t('years.endless') : t('years.for', { count: years })
  const { from, until } = order
  const term =
    until === null
      ? t('order.termEndless', { from: at(from) })
      : t('order.termUntil', { from: at(from), until: at(until) })
  return [
    [t('order.state'), <OrderMark key="state" state={order.state} />],
    [t('order.member'), account === '' ? t('order.accountGone') : `${nickName} (${account})`],
    [t('order.plan'), kind !== 'plan' ? null : `${t(`levels:${levelName(order.level)}`)}, ${length}`],
    [t('order.model'), model?.name ?? null],
    [t('order.work'), work?.name ?? null],
    [t('order.custom'), custom?.title ?? null],
    [t('order.amount'), formatFen(order.amountFen)],
    [t('order.credit'), money(order.creditFen)],
    [t('order.method'), t(`method.${order.method}`)],
    [t('order.made'), at(order.createdAt)],
    [t('order.expires'), order.state === 'waiting' ? at(order.expiresAt) : null],
    [t('order.paid'), at(order.paidAt)],
    [t('order.term'), from === null ? null : term],
    [t('order.unused'), order.state === 'paid' && kind === 'plan' ? formatFen(order.unusedFen) : null],
    [t('order.refunded'), money(order.refundedFen)],
    [t('order.refundReason'), order.refundReason],
  ]
}
