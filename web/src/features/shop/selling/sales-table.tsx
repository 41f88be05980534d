import type { Sale } from '@neuroloom/contract/shop/seller'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatDate, formatNumber } from '../../../lib/format.ts'
import { formatFen } from '../../../lib/format-money.ts'
import { useCall } from '../../../lib/query.ts'
import list from '../../../ui/list.module.css'
import { ListPages } from '../../../ui/list-pages.tsx'
import styles from '../shop.module.css'

/** What was sold, what of it is the seller's, and from when on. */
export function SalesTable() {
  const { t } = useTranslation('shop')
  const [page, setPage] = useState(1)
  const { data } = useCall('shop/sales', { page }, { quiet: true, keepPrevious: true })
  if (!data || data.total === 0) return null
  return (
    <section className={styles.stack} aria-label={t('sales.title')}>
      <h3>{t('sales.title')}</h3>
      <table className={list.list} aria-label={t('sales.title')}>
        <thead>
          <tr>
            <th>{t('sales.model')}</th>
            <th>{t('sales.share')}</th>
            <th className={list.wide}>{t('sales.state')}</th>
          </tr>
        </thead>
        <tbody>
          {data.sales.map((sale) => (
            <tr key={sale.orderNo}>
              <td>
                <Link to={`/merchandiseDetail?id=${sale.listingId}`}>{sale.model}</Link>
                <small>
                  {t('sales.to', {
                    buyer: sale.buyer === '' ? t('buyerGone') : sale.buyer,
                    when: formatDate(sale.at, 'minute'),
                  })}
                </small>
                <small className={list.narrow}>{stateText(sale)}</small>
              </td>
              <td>
                {amountText(sale, sale.share)}
                <small>{t('sales.of', { amount: amountText(sale, sale.amount) })}</small>
              </td>
              <td className={list.wide}>{stateText(sale)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <ListPages {...data} page={page} onPage={setPage} />
    </section>
  )

  function amountText({ unit }: Sale, amount: number): string {
    return unit === 'fen' ? formatFen(amount) : t('own.points', { points: formatNumber(amount) })
  }

  function stateText({ state, claim, recordAt }: Sale): string {
    if (claim?.state === 'open') return t('sales.claimed')
    return t(`sales.states.${state}`, { date: formatDate(recordAt, 'day') })
  }
}
