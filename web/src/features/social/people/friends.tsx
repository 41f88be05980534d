import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatDate } from '../../../lib/format.ts'
import { ConfirmRemove } from '../../../ui/confirm-remove.tsx'
import { Avatar } from '../../../ui/pictures/avatar.tsx'
import { type Friend, FriendList } from './friend-list.tsx'
import { PersonName } from './member-card.tsx'
import { MessageButton } from './message-button.tsx'
import { Online } from './online.tsx'
import styles from './people.module.css'
import { useRelation } from './use-relation.ts'

/** Friends with what one does with them. */
export function Friends() {
  const { t } = useTranslation('social-people')
  return (
    <FriendList
      shape="cards"
      find={<Link to="/socialHome?tab=book">{t('book.find')}</Link>}
      beside={(count) => <span className={styles.soft}>{t('friends.count', { count })}</span>}
    >
      {(found) => (
        <ul className={styles.cards} aria-label={t('friends.title')}>
          {found.map((friend) => (
            <li key={friend.id}>
              <FriendCard friend={friend} />
            </li>
          ))}
        </ul>
      )}
    </FriendList>
  )
}

function FriendCard({ friend }: { friend: Friend }) {
  const { t } = useTranslation('social-people')
  const [isEnding, setEnding] = useState(false)
  const { unfriend } = useRelation(friend)
  const { id, nickName: name, isOnline } = friend
  return (
    <article className={styles.card}>
      <div className={styles.cardHead}>
        <Avatar name={name} photo={friend.photo} size={48} />
        <div className={styles.grow}>
          <PersonName person={friend} />
          {isOnline !== null && <Online isOnline={isOnline} />}
          <small className={styles.soft}>
            {t('friends.since', { date: formatDate(friend.since, 'day') })}
          </small>
        </div>
      </div>
      <div className={styles.actions}>
        <MessageButton memberId={id} name={name} />
        <Button type="text" aria-label={t('friends.unfriendOf', { name })} onClick={() => setEnding(true)}>
          {t('do.unfriend')}
        </Button>
      </div>
      <ConfirmRemove
        open={isEnding}
        title={t('unfriend.title', { name })}
        text={t('unfriend.text')}
        confirmLabel={t('unfriend.confirm')}
        onConfirm={unfriend}
        onClose={() => setEnding(false)}
      />
    </article>
  )
}
