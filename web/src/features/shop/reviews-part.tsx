import { shop as limits } from '@neuroloom/contract/limits'
import type { Listing, Review } from '@neuroloom/contract/shop/listing'
import { Button, Input, Rate } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDate } from '../../lib/format.ts'
import { useAction, useCall } from '../../lib/query.ts'
import { toast } from '../../lib/toast.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { ListPages } from '../../ui/list-pages.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Panel } from '../../ui/page.tsx'
import styles from './shop.module.css'
import { Stars } from './stars.tsx'

/** What those say who bought it. */
export function ReviewsPart({ listing }: { listing: Listing }) {
  const { t } = useTranslation('shop')
  const [page, setPage] = useState(1)
  const { data, error, refetch } = useCall(
    'shop/reviews',
    { id: listing.id, page },
    { quiet: true, keepPrevious: true },
  )
  const own = data?.reviews.find(({ isOwn }) => isOwn)
  return (
    <Panel title={t('reviews.title')} extra={<Stars rating={listing.rating} />}>
      <div className={styles.stack}>
        {!data && error && <ErrorState error={error} retry={() => void refetch()} />}
        {!data && !error && <Loading />}
        {data?.total === 0 && <p className={styles.help}>{t('reviews.none')}</p>}
        <ul className={styles.reviews} aria-label={t('reviews.title')}>
          {data?.reviews.map((review) => (
            <OneReview key={review.id} review={review} />
          ))}
        </ul>
        {data && <ListPages {...data} page={page} onPage={setPage} />}
        {listing.mine.mayReview && data && <OwnReview key={own?.id ?? ''} id={listing.id} own={own} />}
      </div>
    </Panel>
  )
}

function OneReview({ review }: { review: Review }) {
  const { t } = useTranslation('shop')
  const { stars, text, by, at, version } = review
  return (
    <li>
      <span className={styles.line}>
        <Rate disabled value={stars} aria-label={t('reviews.stars', { count: stars })} />
        <strong>{by}</strong>
        <span className={styles.help}>{t('reviews.of', { version, when: formatDate(at, 'day') })}</span>
      </span>
      <p>{text}</p>
    </li>
  )
}

function OwnReview({ id, own }: { id: string; own: Review | undefined }) {
  const { t } = useTranslation('shop')
  const [stars, setStars] = useState(own?.stars ?? 0)
  const [text, setText] = useState(own?.text ?? '')
  const send = useAction('shop/review', {
    refresh: ['shop/reviews', 'shop/detail'],
    onDone: () => toast.success(t('reviews.thanks')),
  })
  return (
    <div className={styles.form}>
      <h3>{t(own ? 'reviews.change' : 'reviews.write')}</h3>
      <Rate value={stars} onChange={setStars} aria-label={t('reviews.yours')} />
      <Input.TextArea
        aria-label={t('reviews.text')}
        placeholder={t('reviews.text')}
        maxLength={limits.reviewLength}
        autoSize={{ minRows: 2, maxRows: 6 }}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <div>
        <Button
          disabled={stars === 0}
          loading={send.isPending}
          onClick={() => send.mutate({ id, stars, text })}
        >
          {t('reviews.send')}
        </Button>
      </div>
    </div>
  )
}
