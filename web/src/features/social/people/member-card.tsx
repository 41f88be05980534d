import { occupations } from '@neuroloom/contract/accounts/member-options'
import type { Card, CardField, Person } from '@neuroloom/contract/social/people'
import { Button, Modal } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatNumber } from '../../../lib/format.ts'
import { useCall } from '../../../lib/query.ts'
import { regionNames } from '../../../lib/region-names.ts'
import { ConfirmRemove } from '../../../ui/confirm-remove.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { Loading } from '../../../ui/loading.tsx'
import { Avatar } from '../../../ui/pictures/avatar.tsx'
import { ReportDialog } from '../report-dialog.tsx'
import { FriendRequestForm } from './friend-request-form.tsx'
import { MessageButton } from './message-button.tsx'
import { Online } from './online.tsx'
import styles from './people.module.css'
import { PeopleList } from './people-list.tsx'
import { useRelation } from './use-relation.ts'

/** A member’s name, which opens their card; of a closed account only the word for it. */
export function PersonName({ person }: { person: Person }) {
  const { t } = useTranslation('social-people')
  const [isOpen, setOpen] = useState(false)
  if (person.nickName === '') return <span className={styles.closed}>{t('closedAccount')}</span>
  return (
    <>
      <button type="button" className={styles.name} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {person.nickName}
      </button>
      {isOpen && <MemberCard memberId={person.id} onClose={() => setOpen(false)} />}
    </>
  )
}

/** What a member shows of oneself, and what one can do with them. */
export function MemberCard({ memberId, onClose }: { memberId: string; onClose: () => void }) {
  const { t } = useTranslation('social-people')
  // Its lists of people lead from one card to the next.
  const [shownId, setShownId] = useState(memberId)
  const { data, error, refetch } = useCall('social/card', { memberId: shownId }, { quiet: true })
  return (
    <Modal
      open
      centered
      width={520}
      title={data?.nickName || t('card.title')}
      footer={null}
      onCancel={onClose}
      destroyOnHidden
    >
      {!data && error && <ErrorState error={error} retry={() => void refetch()} />}
      {!data && !error && <Loading shape="rows" count={3} />}
      {data && <CardContent key={shownId} card={data} onPerson={setShownId} onClose={onClose} />}
    </Modal>
  )
}

type CardContentProps = { card: Card; onPerson: (memberId: string) => void; onClose: () => void }

function CardContent({ card, onPerson, onClose }: CardContentProps) {
  const { t } = useTranslation('social-people')
  const fieldText = useFieldText()
  const [list, setList] = useState<'follows' | 'fans' | null>(null)
  const { introduction, fields, isOnline, counts, relation } = card
  return (
    <div className={styles.stack}>
      <div className={styles.cardHead}>
        <Avatar name={card.nickName} photo={card.photo} size={64} />
        <div className={styles.grow}>
          {isOnline !== null && <Online isOnline={isOnline} />}
          {!relation.isBlocked && (
            <p className={styles.introduction}>
              {introduction === '' ? <span className={styles.soft}>{t('card.silent')}</span> : introduction}
            </p>
          )}
          {relation.isBlocked && <p>{t('card.blocked')}</p>}
        </div>
      </div>
      {fields.length > 0 && (
        <Facts facts={fields.map(({ field, value }) => [t(`field.${field}`), fieldText(field, value)])} />
      )}
      {!relation.isBlocked && (
        <div className={styles.counts}>
          {(['follows', 'fans'] as const).map((name) => (
            <button
              key={name}
              type="button"
              aria-expanded={list === name}
              onClick={() => setList(list === name ? null : name)}
            >
              {t(`card.${name}`, { count: counts[name], shown: formatNumber(counts[name]) })}
            </button>
          ))}
          <Link to={`/socialHome?tab=posts&member=${card.id}`} onClick={onClose}>
            {t('card.posts', { count: counts.posts, shown: formatNumber(counts.posts) })}
          </Link>
        </div>
      )}
      {list !== null && (
        <PeopleList key={list} list={list} memberId={card.id} onPerson={onPerson} label={t(`list.${list}`)} />
      )}
      {relation.isSelf ? (
        <p className={styles.soft}>
          {t('card.self')}{' '}
          <Link to="/socialHome?tab=book" onClick={onClose}>
            {t('card.change')}
          </Link>
        </p>
      ) : (
        <CardActions card={card} onClose={onClose} />
      )}
    </div>
  )
}

/** Stored words for occupations and countries, in the language of the page. */
function useFieldText(): (field: CardField, value: string) => string {
  const { t } = useTranslation('social-people')
  return (field, value) => {
    if (field === 'country' && /^[A-Z]{2}$/.test(value)) return regionNames()(value)
    const occupation = field === 'occupation' ? occupations.find((one) => one === value) : undefined
    return occupation === undefined ? value : t(`occupation.${occupation}`)
  }
}

function CardActions({ card, onClose }: { card: Card; onClose: () => void }) {
  const { t } = useTranslation('social-people')
  const relation = useRelation(card)
  const [asked, setAsked] = useState<'request' | 'block' | 'unfriend' | 'report' | null>(null)
  const close = () => setAsked(null)
  const { id, nickName: name } = card
  const { isFriend, isFollowed, isBlocked, application } = card.relation
  return (
    <>
      {!isBlocked && application === 'sent' && !isFriend && <p className={styles.soft}>{t('card.sent')}</p>}
      {!isBlocked && application === 'received' && !isFriend && (
        <p className={styles.soft}>{t('card.received')}</p>
      )}
      {asked === 'request' ? (
        <FriendRequestForm member={card} apply={relation.apply} onClose={close} />
      ) : (
        <div className={styles.actions}>
          {isBlocked && <Button onClick={relation.unblock}>{t('do.unblock')}</Button>}
          {!isBlocked && isFriend && <MessageButton memberId={id} onLeave={onClose} />}
          {!isBlocked && !isFriend && application !== 'sent' && (
            <Button
              type="primary"
              loading={relation.apply.isPending}
              onClick={() =>
                application === 'received' ? relation.apply.mutate({ memberId: id }) : setAsked('request')
              }
            >
              {t(application === 'received' ? 'do.accept' : 'do.request')}
            </Button>
          )}
          {!isBlocked && (
            <Button
              loading={relation.isFollowPending}
              aria-pressed={isFollowed}
              onClick={() => relation.setFollowed(!isFollowed)}
            >
              {t(isFollowed ? 'do.unfollow' : 'do.follow')}
            </Button>
          )}
        </div>
      )}
      <div className={styles.quietActions}>
        {isFriend && (
          <Button type="link" size="small" onClick={() => setAsked('unfriend')}>
            {t('do.unfriend')}
          </Button>
        )}
        {!isBlocked && (
          <Button type="link" size="small" danger onClick={() => setAsked('block')}>
            {t('do.block')}
          </Button>
        )}
        <Button type="link" size="small" danger onClick={() => setAsked('report')}>
          {t('do.report')}
        </Button>
      </div>
      <ConfirmRemove
        open={asked === 'block'}
        title={t('block.title', { name })}
        text={t('block.text')}
        confirmLabel={t('block.confirm')}
        onConfirm={relation.block}
        onClose={close}
      />
      <ConfirmRemove
        open={asked === 'unfriend'}
        title={t('unfriend.title', { name })}
        text={t('unfriend.text')}
        confirmLabel={t('unfriend.confirm')}
        onConfirm={relation.unfriend}
        onClose={close}
      />
      {asked === 'report' && <ReportDialog kind="member" targetId={id} chatId={null} onClose={close} />}
    </>
  )
}
