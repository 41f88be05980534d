import { Button, Input, type InputRef } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { messageOf } from '../../../lib/api.ts'
import { useAction } from '../../../lib/query.ts'
import { PersonName } from './member-card.tsx'
import styles from './people.module.css'
import { PersonRow } from './people-list.tsx'

const LEAST_SIGNS = 2

/** Members by their account or a part of the nickname; the field takes the focus whenever `focusCount` grows. */
export function FindPeople({ focusCount }: { focusCount: number }) {
  const { t } = useTranslation('social-people')
  const [typed, setTyped] = useState('')
  const field = useRef<InputRef>(null)
  // An action and no read: each search counts against those that found nobody.
  const find = useAction('social/findPeople', { refresh: [], quiet: true })
  useEffect(() => {
    if (focusCount > 0) field.current?.focus()
  }, [focusCount])
  const text = typed.trim()
  const people = find.data?.people
  return (
    <search className={styles.stack}>
      <form
        className={styles.find}
        onSubmit={(event) => {
          event.preventDefault()
          if (text.length >= LEAST_SIGNS) find.mutate({ text })
        }}
      >
        <Input
          ref={field}
          type="search"
          autoComplete="off"
          maxLength={100}
          aria-label={t('find.label')}
          placeholder={t('find.label')}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
        <Button htmlType="submit" disabled={text.length < LEAST_SIGNS} loading={find.isPending}>
          {t('find.search')}
        </Button>
      </form>
      <p className={styles.soft}>{t('find.help')}</p>
      <div role="status" className={styles.found}>
        {find.error && <p className={styles.problem}>{messageOf(find.error)}</p>}
        {people?.length === 0 && <p>{t('find.none')}</p>}
        {people && people.length > 0 && (
          <ul className={styles.rows} aria-label={t('find.found')}>
            {people.map((person) => (
              <PersonRow key={person.id} person={person} name={<PersonName person={person} />} />
            ))}
          </ul>
        )}
      </div>
    </search>
  )
}
