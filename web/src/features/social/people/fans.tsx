import type { Person } from '@neuroloom/contract/social/people'
import { Button, Segmented } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useAllPages, usePages } from '../../../lib/query.ts'
import { useUser } from '../../../lib/session.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Loading } from '../../../ui/loading.tsx'
import { MoreButton } from '../../../ui/more-button.tsx'
import { PersonName } from './member-card.tsx'
import styles from './people.module.css'
import { PersonRow } from './people-list.tsx'
import { useRelation } from './use-relation.ts'

type List = 'fans' | 'follows'
const lists: readonly List[] = ['fans', 'follows']

/** Who follows oneself, and whom one follows. */
export function Fans() {
  const { t } = useTranslation('social-people')
  const memberId = useUser()?.id ?? ''
  const [list, setList] = useState<List>('fans')
  // A list of fans does not tell whom of them one follows back.
  const followed = useAllPages('social/follows', { memberId })
  const followedIds = new Set(followed.data?.pages.flatMap((page) => page.people.map(({ id }) => id)))
  return (
    <div className={styles.stack}>
      <div>
        <Segmented<List>
          aria-label={t('fans.which')}
          value={list}
          onChange={setList}
          options={lists.map((value) => ({ value, label: t(`list.${value}`) }))}
        />
      </div>
      <FollowList key={list} list={list} memberId={memberId} followedIds={followedIds} />
    </div>
  )
}

type FollowListProps = { list: List; memberId: string; followedIds: ReadonlySet<string> }

function FollowList({ list, memberId, followedIds }: FollowListProps) {
  const { t } = useTranslation('social-people')
  const query = usePages(`social/${list}`, { memberId })
  const people = query.data?.pages.flatMap((page) => page.people)
  if (!people)
    return query.error ? (
      <ErrorState error={query.error} retry={() => void query.refetch()} />
    ) : (
      <Loading shape="rows" />
    )
  if (people.length === 0)
    return (
      <EmptyState
        title={t(`fans.${list}Empty`)}
        text={t(`fans.${list}EmptyText`)}
        action={
          list === 'fans' ? (
            <Link to="/socialHome?tab=posts">{t('fans.write')}</Link>
          ) : (
            <Link to="/socialHome?tab=posts">{t('fans.read')}</Link>
          )
        }
      />
    )
  return (
    <>
      <ul className={styles.rows} aria-label={t(`list.${list}`)}>
        {people.map((person) => (
          <FollowRow
            key={person.id}
            person={person}
            isFan={list === 'fans'}
            isFollowed={followedIds.has(person.id)}
          />
        ))}
      </ul>
      <MoreButton query={query} />
    </>
  )
}

function FollowRow({ person, isFan, isFollowed }: { person: Person; isFan: boolean; isFollowed: boolean }) {
  const { t } = useTranslation('social-people')
  const { setFollowed, isFollowPending } = useRelation(person)
  const name = person.nickName
  const isToFollow = isFan && !isFollowed
  return (
    <PersonRow
      person={person}
      name={<PersonName person={person} />}
      about={isFan && isFollowed && <small className={styles.soft}>{t('fans.both')}</small>}
      actions={
        name !== '' && (
          <Button
            type={isToFollow ? 'primary' : 'default'}
            loading={isFollowPending}
            aria-label={t(isToFollow ? 'fans.backOf' : 'fans.unfollowOf', { name })}
            onClick={() => setFollowed(isToFollow)}
          >
            {t(isToFollow ? 'fans.back' : 'do.unfollow')}
          </Button>
        )
      }
    />
  )
}
