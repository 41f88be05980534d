import type { Delivery, Demand } from '@neuroloom/contract/market/demand'
import { Alert, Rate } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatDate } from '../../lib/format.ts'
import { formatFen } from '../../lib/format-money.ts'
import { Facts } from '../../ui/facts.tsx'
import { Panel } from '../../ui/page.tsx'
import { StateMark } from '../../ui/state-mark.tsx'
import { FileList } from './file-list.tsx'
import styles from './market.module.css'

type Work = NonNullable<Demand['work']>

/** What was ordered, how far it is, and what was delivered. */
export function WorkPart({ work }: { work: Work }) {
  const { t } = useTranslation('market')
  const { offer, heldFen, releasedFen, accepted, assignedAt, dispute, rating, deliveries } = work
  const { id: providerId, nickName } = offer.provider
  const provider =
    nickName === '' ? (
      t('providerGone')
    ) : (
      <Link to={`/serviceProviderDetail?id=${providerId}`}>{nickName}</Link>
    )
  return (
    <>
      <Panel title={t('work.title')}>
        <div className={styles.stack}>
          {dispute && <DisputeAlert dispute={dispute} />}
          {work.end === 'given_up' && <Alert type="info" showIcon title={t('work.givenUp')} />}
          <Facts
            facts={[
              [t('work.provider'), provider],
              [t('work.price'), formatFen(offer.priceFen)],
              [t('work.since'), formatDate(assignedAt, 'minute')],
              [t('work.days'), t('offer.in', { count: offer.days })],
              [t('work.held'), heldFen === 0 ? null : formatFen(heldFen)],
              [t('work.released'), releasedFen === 0 ? null : formatFen(releasedFen)],
            ]}
          />
          {offer.milestones.length > 0 && (
            <ol className={styles.milestones} aria-label={t('milestones')}>
              {offer.milestones.map(({ title, priceFen }, place) => (
                <li key={`${title} ${priceFen}`}>
                  {t('milestone', { title, price: formatFen(priceFen) })}{' '}
                  {place < accepted && <StateMark state="done" text={t('work.partAccepted')} />}
                </li>
              ))}
            </ol>
          )}
        </div>
      </Panel>
      {deliveries.length > 0 && (
        <Panel title={t('deliveries')}>
          <ul className={styles.list}>
            {deliveries.map((delivery) => (
              <li key={delivery.id}>
                <OneDelivery delivery={delivery} part={offer.milestones[delivery.part]?.title ?? null} />
              </li>
            ))}
          </ul>
        </Panel>
      )}
      {rating && (
        <Panel title={t('rate.given')}>
          <div className={styles.form}>
            <Rate disabled value={rating.stars} aria-label={t('rate.of', { count: rating.stars })} />
            {rating.text !== '' && <p className={styles.words}>{rating.text}</p>}
          </div>
        </Panel>
      )}
    </>
  )
}

function DisputeAlert({ dispute }: { dispute: NonNullable<Work['dispute']> }) {
  const { t } = useTranslation('market')
  const { byOwner, reason, decision } = dispute
  if (!decision)
    return (
      <Alert
        type="warning"
        showIcon
        title={t(byOwner ? 'dispute.byOwner' : 'dispute.byProvider')}
        description={
          <>
            <p className={styles.words}>{reason}</p>
            <p>{t('dispute.waits')}</p>
          </>
        }
      />
    )
  const split = { provider: formatFen(decision.providerFen), owner: formatFen(decision.ownerFen) }
  return (
    <Alert
      type="info"
      showIcon
      title={t('dispute.decided', split)}
      description={<p className={styles.words}>{decision.reason}</p>}
    />
  )
}

const marks = { waiting: 'asked', accepted: 'done', sent_back: 'failed' } as const

function OneDelivery({ delivery, part }: { delivery: Delivery; part: string | null }) {
  const { t } = useTranslation('market')
  const { text, files, state, answer, at } = delivery
  return (
    <article className={styles.item}>
      <div className={styles.line}>
        <strong>{part ?? t('delivery')}</strong>
        <span className={styles.help}>{formatDate(at, 'minute')}</span>
        <span className={styles.spring} />
        <StateMark state={marks[state]} text={t(`deliveryState.${state}`)} />
      </div>
      <p className={styles.words}>{text}</p>
      <FileList files={files} label={t('deliver.files')} />
      {answer !== '' && <Alert type="warning" title={t('sentBack')} description={answer} />}
    </article>
  )
}
