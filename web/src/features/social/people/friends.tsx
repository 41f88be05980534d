import { SearchOutlined } from '@ant-design/icons'
import type { Answer } from '@neuroloom/contract/calls'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatDate } from '../../../lib/format.ts'
import { useCall } from '../../../lib/query.ts'
import { ConfirmRemove } from '../../../ui/confirm-remove.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Loading } from '../../../ui/loading.tsx'
import { Avatar } from '../../../ui/pictures/avatar.tsx'
import { PersonName } from './member-card.tsx'
import { MessageButton } from './message-button.tsx'
import { Online } from './online.tsx'
import styles from './people.module.css'
import { useRelation } from './use-relation.ts'

type Friend = Answer<'social/friends'>['friends'][number]

/** Friends with what one does with them. */
export function Friends() {
  const { t } = useTranslation('social-people')
  const [typed, setTyped] = useState('')
  const { data, error, refetch } = useCall('social/friends', {}, { quiet: true })
  if (!data)
    return error ? <ErrorState error={error} retry={() => void refetch()} /> : <Loading shape="cards" />
  if (data.friends.length === 0)
    return (
      <EmptyState
        title={t('book.empty')}
        text={t('book.emptyText')}
        action={<Link to="/socialHome?tab=book">{t('book.find')}</Link>}
      />
    )
  const wanted = typed.trim().toLowerCase()
  const found = data.friends.filter(({ nickName }) => nickName.toLowerCase().includes(wanted))
  return (
    <>
      <div className={styles.tools}>
        <Input
          allowClear
          type="search"
          prefix={<SearchOutlined aria-hidden />}
          placeholder={t('book.search')}
          aria-label={t('book.search')}
          maxLength={100}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
        <span className={styles.soft}>{t('friends.count', { count: data.friends.length })}</span>
      </div>
      {found.length === 0 && (
        <p role="status" className={styles.none}>
          {t('book.none')}
        </p>
      )}
      <ul className={styles.cards} aria-label={t('friends.title')}>
        {found.map((friend) => (
          <li key={friend.id}>
            <FriendCard friend={friend} />
          </li>
        ))}
      </ul>
    </>
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
