import type { Listing } from '@neuroloom/contract/shop/listing'
import { Tag } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../lib/format.ts'
import { Facts } from '../../ui/facts.tsx'
import { Panel } from '../../ui/page.tsx'
import { AboutPart, VersionsPart } from './about-part.tsx'
import { ActionsPart } from './actions-part.tsx'
import { ReviewsPart } from './reviews-part.tsx'
import { ScorePart } from './score-part.tsx'
import styles from './shop.module.css'

type Props = {
  listing: Listing
  /** The structure, drawn. */
  drawing: ReactNode
  networkName: string
  onBuy: () => void
  onPredict: () => void
}

/** All that is known of a model, with what can be done with it. */
export function ListingView({ listing, drawing, networkName, onBuy, onPredict }: Props) {
  const { t } = useTranslation(['shop', 'tasks'])
  return (
    <div className={styles.columns}>
      <div className={styles.stack}>
        <Panel title={t('about.introduction')}>
          <div className={styles.stack}>
            <div className={styles.tags}>
              <Tag>{t(`tasks:name.${listing.task}`)}</Tag>
              <Tag>{t(`organ.${listing.organ}`)}</Tag>
              <Tag>{t(`modality.${listing.modality}`)}</Tag>
            </div>
            <p>{listing.introduction}</p>
            <h3>{t('about.features')}</h3>
            <ul className={styles.features}>
              {listing.features
                .split('\n')
                .filter((line) => line.trim() !== '')
                .map((line) => (
                  <li key={line}>{line}</li>
                ))}
            </ul>
          </div>
        </Panel>
        <ScorePart listing={listing} />
        <Panel title={t('architecture.title')}>
          <div className={styles.stack}>
            <Facts
              facts={[
                [t('architecture.network'), networkName],
                [t('facts.parameters'), formatNumber(listing.parameters)],
                [t('architecture.classes'), listing.classes.join(', ')],
              ]}
            />
            {drawing}
          </div>
        </Panel>
        <AboutPart listing={listing} />
        <VersionsPart listing={listing} />
        <ReviewsPart listing={listing} />
      </div>
      <ActionsPart listing={listing} onBuy={onBuy} onPredict={onPredict} />
    </div>
  )
}
