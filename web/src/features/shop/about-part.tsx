import type { Listing } from '@neuroloom/contract/shop/listing'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { saveBlob } from '../../lib/download.ts'
import { formatDate, formatNumber } from '../../lib/format.ts'
import { formatScore } from '../../lib/metric.ts'
import { useAction } from '../../lib/query.ts'
import { Facts } from '../../ui/facts.tsx'
import { Panel } from '../../ui/page.tsx'
import styles from './shop.module.css'

const words = ['intendedUse', 'outOfScope', 'population', 'limitations'] as const

/** The model card: what it is for and not for, whose images it learned from, and how. */
export function AboutPart({ listing }: { listing: Listing }) {
  const { t } = useTranslation('shop')
  const { learned } = listing
  const card = useAction('shop/card', {
    refresh: [],
    onDone: ({ name, xml }) => saveBlob(name, new Blob([xml], { type: 'application/xml' })),
  })
  return (
    <Panel
      title={t('card.title')}
      extra={
        <Button loading={card.isPending} onClick={() => card.mutate({ id: listing.id })}>
          {t('card.save')}
        </Button>
      }
    >
      <div className={styles.said}>
        {words.map((name) => (
          <section key={name}>
            <h3>{t(`about.${name}`)}</h3>
            <p>{listing[name]}</p>
          </section>
        ))}
        <section>
          <h3>{t('card.learned')}</h3>
          <Facts
            facts={[
              [t('card.items'), formatNumber(learned.items)],
              [t('card.cases'), formatNumber(learned.cases)],
              [t('card.size'), learned.imageSize.map((side) => formatNumber(side)).join(' × ')],
              [t('card.epochs'), formatNumber(learned.epochs)],
              [t('card.trained'), formatDate(learned.trainedAt, 'day')],
              [t('card.began'), beganWith()],
              [t('about.dataLicence'), listing.dataLicence],
            ]}
          />
        </section>
      </div>
    </Panel>
  )

  function beganWith(): string {
    if (learned.startFrom === null) return t('card.scratch')
    return learned.startFrom.model ?? t('card.earlier')
  }
}

export function VersionsPart({ listing }: { listing: Listing }) {
  const { t } = useTranslation('shop')
  if (listing.versions.length < 2) return null
  return (
    <Panel title={t('versions.title')}>
      <table className={styles.figures} aria-label={t('versions.title')}>
        <thead>
          <tr>
            <th>{t('versions.what')}</th>
            <th>{t('versions.when')}</th>
            <th>{t(`score.${listing.task}`)}</th>
          </tr>
        </thead>
        <tbody>
          {listing.versions.map(({ number, note, at, score }) => (
            <tr key={number}>
              <td>
                {t('versions.number', { number })}{' '}
                {note !== '' && <span className={styles.help}>{note}</span>}
              </td>
              <td>{formatDate(at, 'day')}</td>
              <td>{formatScore(listing.task, score)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  )
}
