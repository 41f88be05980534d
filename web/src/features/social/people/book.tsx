import { Button } from 'antd'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { type Friend, FriendList } from './friend-list.tsx'
import { groupByLetter } from './letters.ts'
import { PersonName } from './member-card.tsx'
import { MessageButton } from './message-button.tsx'
import { Online } from './online.tsx'
import styles from './people.module.css'
import { PersonRow } from './people-list.tsx'

/** From so many letters on, a row of them leads to each. */
const LETTERS_TO_JUMP = 5

/** Friends as an address book; `onFind` leads to where friends are found. */
export function Book({ onFind }: { onFind: () => void }) {
  const { t } = useTranslation('social-people')
  const find = (
    <Button type="primary" onClick={onFind}>
      {t('book.find')}
    </Button>
  )
  return (
    <FriendList shape="rows" label={t('book.title')} find={find}>
      {(found) => <Letters friends={found} />}
    </FriendList>
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
