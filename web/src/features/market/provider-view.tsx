import type { Provider } from '@neuroloom/contract/market/provider'
import { Button, Rate, Tag } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDate } from '../../lib/format.ts'
import { useCall } from '../../lib/query.ts'
import shared from '../../ui/card.module.css'
import { ErrorState } from '../../ui/error-state.tsx'
import { Facts } from '../../ui/facts.tsx'
import { ListPages } from '../../ui/list-pages.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Panel } from '../../ui/page.tsx'
import { CaseCard } from './case-card.tsx'
import styles from './market.module.css'
import { ProviderDialog } from './provider-dialog.tsx'
import { RatingSum } from './rating-sum.tsx'

/** The page of one provider: what it says, what it did, and what customers say. */
export function ProviderView({ provider }: { provider: Provider }) {
  const { t } = useTranslation('market')
  const [isEditing, setEditing] = useState(false)
  const { introduction, services, regions, languages, rating, sales, cases, isOwn } = provider
  return (
    <div className={styles.columns}>
      <div className={styles.stack}>
        <Panel title={t('provider.services')}>
          <div className={styles.form}>
            {introduction !== '' && <p className={styles.words}>{introduction}</p>}
            <div className={styles.line}>
              {services.map((service) => (
                <Tag key={service}>{service}</Tag>
              ))}
            </div>
            {introduction === '' && services.length === 0 && (
              <p className={styles.help}>{t(isOwn ? 'provider.sayOwn' : 'provider.silent')}</p>
            )}
          </div>
        </Panel>
        <Panel title={t('cases')}>
          {cases.length === 0 && <p className={styles.help}>{t('case.noneOf')}</p>}
          <ul className={shared.grid} aria-label={t('cases')}>
            {cases.map((card) => (
              <li key={card.id}>
                <CaseCard card={card} />
              </li>
            ))}
          </ul>
        </Panel>
        <Ratings id={provider.id} />
      </div>
      <aside className={styles.aside}>
        <RatingSum rating={rating} />
        <Facts
          facts={[
            [t('provider.salesTitle'), String(sales)],
            [t('provider.regions'), regions.join(', ')],
            [t('provider.languages'), languages.join(', ')],
          ]}
        />
        {isOwn && <Button onClick={() => setEditing(true)}>{t('provider.edit')}</Button>}
      </aside>
      {isEditing && <ProviderDialog provider={provider} onClose={() => setEditing(false)} />}
    </div>
  )
}

function Ratings({ id }: { id: string }) {
  const { t } = useTranslation('market')
  const [page, setPage] = useState(1)
  const { data, error, refetch } = useCall(
    'provider/ratings',
    { id, page },
    { quiet: true, keepPrevious: true },
  )
  return (
    <Panel title={t('provider.ratings')}>
      {!data && error && <ErrorState error={error} retry={() => void refetch()} />}
      {!data && !error && <Loading />}
      {data?.total === 0 && <p className={styles.help}>{t('provider.ratingsNone')}</p>}
      <ul className={styles.list} aria-label={t('provider.ratings')}>
        {data?.ratings.map(({ stars, text, by, work, at }) => (
          <li key={`${at} ${work}`} className={styles.item}>
            <span className={styles.line}>
              <Rate disabled value={stars} aria-label={t('rate.of', { count: stars })} />
              <strong>{by}</strong>
              <span className={styles.help}>
                {t('provider.about', { work, when: formatDate(at, 'day') })}
              </span>
            </span>
            {text !== '' && <p className={styles.words}>{text}</p>}
          </li>
        ))}
      </ul>
      {data && <ListPages {...data} page={page} onPage={setPage} />}
    </Panel>
  )
}
