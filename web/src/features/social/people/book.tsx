import { SearchOutlined } from '@ant-design/icons'
import type { Answer } from '@neuroloom/contract/calls'
import { Button, Input } from 'antd'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../../lib/query.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Loading } from '../../../ui/loading.tsx'
import { groupByLetter } from './letters.ts'
import { PersonName } from './member-card.tsx'
import { MessageButton } from './message-button.tsx'
import { Online } from './online.tsx'
import styles from './people.module.css'
import { PersonRow } from './people-list.tsx'

type Friend = Answer<'social/friends'>['friends'][number]

/** From so many letters on, a row of them leads to each. */
const LETTERS_TO_JUMP = 5

/** Friends as an address book; `onFind` leads to where friends are found. */
export function Book({ onFind }: { onFind: () => void }) {
  const { t } = useTranslation('social-people')
  const [typed, setTyped] = useState('')
  const { data, error, refetch } = useCall('social/friends', {}, { quiet: true })
  if (!data)
    return error ? <ErrorState error={error} retry={() => void refetch()} /> : <Loading shape="rows" />
  if (data.friends.length === 0)
    return (
      <EmptyState
        title={t('book.empty')}
        text={t('book.emptyText')}
        action={
          <Button type="primary" onClick={onFind}>
            {t('book.find')}
          </Button>
        }
      />
    )
  const wanted = typed.trim().toLowerCase()
  const found = data.friends.filter(({ nickName }) => nickName.toLowerCase().includes(wanted))
  return (
    <section aria-label={t('book.title')}>
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
      {found.length === 0 && (
        <p role="status" className={styles.none}>
          {t('book.none')}
        </p>
      )}
      <Letters friends={found} />
    </section>
  )
}

function Letters({ friends }: { friends: readonly Friend[] }) {
  const { t } = useTranslation('social-people')
  const headings = useRef(new Map<string, HTMLHeadingElement>())
  const groups = groupByLetter(friends)
  const jump = (letter: string) => {
    const heading = headings.current.get(letter)
    heading?.focus({ preventScroll: true })
    heading?.scrollIntoView({ block: 'start' })
  }
  return (
    <>
      {groups.length >= LETTERS_TO_JUMP && (
        <nav className={styles.letters} aria-label={t('book.letters')}>
          {groups.map(({ letter }) => (
            <button key={letter} type="button" onClick={() => jump(letter)}>
              {letter}
            </button>
          ))}
        </nav>
      )}
      {groups.map(({ letter, members }) => (
        <section key={letter} className={styles.letterGroup} aria-label={letter}>
          <h3
            className={styles.letter}
            tabIndex={-1}
            ref={(heading) => {
              if (heading) headings.current.set(letter, heading)
            }}
          >
            {letter}
          </h3>
          <ul className={styles.rows}>
            {members.map((friend) => (
              <PersonRow
                key={friend.id}
                person={friend}
                name={<PersonName person={friend} />}
                about={friend.isOnline === true && <Online isOnline />}
                actions={<MessageButton memberId={friend.id} name={friend.nickName} />}
              />
            ))}
          </ul>
        </section>
      ))}
    </>
  )
}
