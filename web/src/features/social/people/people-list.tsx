import type { Person } from '@neuroloom/contract/social/people'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { usePages } from '../../../lib/query.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Loading } from '../../../ui/loading.tsx'
import { MoreButton } from '../../../ui/more-button.tsx'
import { Avatar } from '../../../ui/pictures/avatar.tsx'
import styles from './people.module.css'

type PeopleListProps = {
  list: 'follows' | 'fans'
  memberId: string
  label: string
  /** Opens the card of one of them. */
  onPerson: (memberId: string) => void
}

/** Whom a member follows, or who follows them, a page at a time. */
export function PeopleList({ list, memberId, label, onPerson }: PeopleListProps) {
  const { t } = useTranslation('social-people')
  const query = usePages(`social/${list}`, { memberId })
  const people = query.data?.pages.flatMap((page) => page.people)
  if (!people) return query.error ? <ErrorState error={query.error} /> : <Loading shape="rows" count={2} />
  if (people.length === 0) return <p className={styles.soft}>{t(`list.${list}None`)}</p>
  return (
    <div>
      <ul className={styles.rows} aria-label={label}>
        {people.map((person) => (
          <PersonRow
            key={person.id}
            person={person}
            name={
              <button type="button" className={styles.name} onClick={() => onPerson(person.id)}>
                {person.nickName}
              </button>
            }
          />
        ))}
      </ul>
      <MoreButton query={query} />
    </div>
  )
}

type PersonRowProps = {
  person: Person
  name: ReactNode
  /** Beneath the name. */
  about?: ReactNode
  actions?: ReactNode
}

/** One member in a list: picture, name, and what can be done. */
export function PersonRow({ person, name, about, actions }: PersonRowProps) {
  return (
    <li className={styles.row}>
      <Avatar name={person.nickName} photo={person.photo} size={40} />
      <div className={styles.grow}>
        {name}
        {about}
      </div>
      {actions !== undefined && <div className={styles.rowActions}>{actions}</div>}
    </li>
  )
}
