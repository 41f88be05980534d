import { SearchOutlined } from '@ant-design/icons'
import { shop as limits } from '@neuroloom/contract/limits'
import { fenOf } from '@neuroloom/contract/membership/money'
import type { OfficeListing } from '@neuroloom/contract/shop/seller'
import { type ListingState, listingStates } from '@neuroloom/contract/shop/words'
import { Button, Input, Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDate } from '../../lib/format.ts'
import { formatFen } from '../../lib/format-money.ts'
import { listingLooks } from '../../lib/listing-looks.ts'
import { useAction, useCall } from '../../lib/query.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { useTyped } from '../../ui/hooks/use-typed.ts'
import list from '../../ui/list.module.css'
import { ListPages } from '../../ui/list-pages.tsx'
import { Loading } from '../../ui/loading.tsx'
import { StateMark } from '../../ui/state-mark.tsx'
import { DeedDialog } from './deed-dialog.tsx'
import { WordsField } from './words-field.tsx'

/** All models of the shop: who sells them, how they stand, and taking one out for a stated reason. */
export function Listings() {
  const { t } = useTranslation('office')
  const search = useTyped()
  const [state, setState] = useState<ListingState | null>(null)
  const [page, setPage] = useState(1)
  const [banning, setBanning] = useState<OfficeListing | null>(null)
  const wanted = { search: search.settled, state, page }
  const { data, error, refetch } = useCall('office/listings', wanted, { quiet: true, keepPrevious: true })
  const allow = useAction('office/listing', { refresh: ['office/listings'] })
  return (
    <>
      <div className={list.tools}>
        <Input
          allowClear
          type="search"
          prefix={<SearchOutlined aria-hidden />}
          placeholder={t('listings.search')}
          aria-label={t('listings.search')}
          maxLength={200}
          value={search.text}
          onChange={({ target }) => {
            search.setText(target.value)
            setPage(1)
          }}
        />
        <Select<ListingState | 'all'>
          className={list.select ?? ''}
          aria-label={t('listings.state')}
          value={state ?? 'all'}
          onChange={(chosen) => {
            setState(chosen === 'all' ? null : chosen)
            setPage(1)
          }}
          options={[
            { value: 'all' as const, label: t('listings.allStates') },
            ...listingStates.map((value) => ({ value, label: t(`listings.states.${value}`) })),
          ]}
        />
      </div>
      {!data && error && <ErrorState error={error} retry={() => void refetch()} />}
      {!data && !error && <Loading shape="rows" count={4} />}
      {data?.total === 0 && <EmptyState title={t('listings.empty')} text={t('listings.emptyText')} />}
      {data && data.total > 0 && (
        <table className={list.list} aria-label={t('listings.title')}>
          <thead>
            <tr>
              <th>{t('listings.model')}</th>
              <th className={list.wide}>{t('listings.price')}</th>
              <th className={list.wide}>{t('listings.sold')}</th>
              <th>{t('listings.state')}</th>
              <th />
            </tr>
          </thead>
          <tbody>
            {data.listings.map((listing) => (
              <tr key={listing.id}>
                <td>
                  <strong>{listing.name}</strong>
                  <small>
                    {listing.seller === ''
                      ? t('order.accountGone')
                      : `${listing.seller} · ${listing.account}`}
                  </small>
                  {listing.listedAt && <small>{formatDate(listing.listedAt, 'minute')}</small>}
                </td>
                <td className={list.wide}>{formatFen(fenOf(listing.priceYuan))}</td>
                <td className={list.wide}>{listing.sold.count}</td>
                <td>
                  <StateMark
                    state={listingLooks[listing.state]}
                    text={t(`listings.states.${listing.state}`)}
                  />
                  {listing.banReason !== '' && <small>{listing.banReason}</small>}
                </td>
                <td className={list.actions}>
                  {listing.state === 'banned' ? (
                    <Button onClick={() => allow.mutate({ id: listing.id, decision: { is: 'allowed' } })}>
                      {t('listings.allow')}
                    </Button>
                  ) : (
                    listing.state !== 'closed' && (
                      <Button danger onClick={() => setBanning(listing)}>
                        {t('listings.ban')}
                      </Button>
                    )
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {data && <ListPages {...data} page={page} onPage={setPage} />}
      {banning && <BanDialog listing={banning} onClose={() => setBanning(null)} />}
    </>
  )
}

function BanDialog({ listing, onClose }: { listing: OfficeListing; onClose: () => void }) {
  const { t } = useTranslation('office')
  const [reason, setReason] = useState('')
  const ban = useAction('office/listing', { refresh: ['office/listings'], quiet: true })
  const { id, name } = listing
  return (
    <DeedDialog
      title={t('listings.banTitle', { name })}
      text={t('listings.banText')}
      saveLabel={t('listings.banConfirm')}
      isDanger
      isDisabled={reason.trim() === ''}
      error={ban.error}
      onSave={() => ban.mutateAsync({ id, decision: { is: 'banned', reason: reason.trim() } })}
      onClose={onClose}
    >
      <WordsField
        id="ban-reason"
        label={t('listings.banReason')}
        text={reason}
        maxLength={limits.claimLength}
        isLong
        onText={setReason}
      />
    </DeedDialog>
  )
}
