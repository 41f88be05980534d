import type { Invoice } from '@neuroloom/contract/membership/orders'
import { Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../lib/query.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import list from '../../ui/list.module.css'
import { ListPages } from '../../ui/list-pages.tsx'
import { Loading } from '../../ui/loading.tsx'
import { InvoiceCard } from './invoice-card.tsx'
import styles from './office.module.css'
import { invoiceStates } from './state-marks.tsx'

/** Invoices that members asked for, a page at a time; first those that wait. */
export function Invoices() {
  const { t } = useTranslation('office')
  const [state, setState] = useState<Invoice['state'] | null>('asked')
  const [page, setPage] = useState(1)
  const { data, error, refetch, isPlaceholderData } = useCall(
    'office/invoices',
    { state, page },
    { quiet: true, keepPrevious: true },
  )
  // What was decided may have been the last of its page.
  if (data?.invoices.length === 0 && page > 1 && !isPlaceholderData) setPage(page - 1)
  return (
    <>
      <div className={list.tools}>
        <Select<Invoice['state'] | 'all'>
          aria-label={t('invoices.which')}
          value={state ?? 'all'}
          onChange={(chosen) => {
            setState(chosen === 'all' ? null : chosen)
            setPage(1)
          }}
          options={[
            ...invoiceStates.map((value) => ({ value, label: t(`invoiceState.${value}`) })),
            { value: 'all' as const, label: t('invoices.all') },
          ]}
        />
      </div>
      {!data && error && <ErrorState error={error} retry={() => void refetch()} />}
      {!data && !error && <Loading shape="cards" count={2} />}
      {data?.invoices.length === 0 && (
        <EmptyState
          title={t(state === 'asked' ? 'invoices.noneAsked' : 'invoices.none')}
          text={t('invoices.emptyText')}
        />
      )}
      <ul className={styles.cards} aria-label={t('invoices.title')}>
        {data?.invoices.map((invoice) => (
          <li key={invoice.id}>
            <InvoiceCard invoice={invoice} />
          </li>
        ))}
      </ul>
      {data && <ListPages {...data} page={page} onPage={setPage} />}
    </>
  )
}
