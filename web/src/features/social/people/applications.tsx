import type { Application } from '@neuroloom/contract/social/people'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { formatDate } from '../../../lib/format.ts'
import { useCall } from '../../../lib/query.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Panel } from '../../../ui/page.tsx'
import { PersonName } from './member-card.tsx'
import styles from './people.module.css'
import { PersonRow } from './people-list.tsx'
import { useAnswer } from './use-relation.ts'

/** Friend requests that wait, and below them those that were answered. Nothing where there are none. */
export function Applications() {
  const { t } = useTranslation('social-people')
  const { data, error, refetch } = useCall('social/applications', {}, { quiet: true })
  if (!data) return error ? <ErrorState error={error} retry={() => void refetch()} /> : null
  // What oneself has to answer comes first.
  const waiting = data.applicationList
    .filter(({ state }) => state === 'waiting')
    .sort((one, other) => Number(other.direction === 'received') - Number(one.direction === 'received'))
  const answered = data.applicationList.filter(({ state }) => state !== 'waiting')
  if (data.applicationList.length === 0) return null
  return (
    <Panel title={t('requests.title')}>
      {waiting.length === 0 && <p className={styles.soft}>{t('requests.none')}</p>}
      <ul className={styles.rows} aria-label={t('requests.title')}>
        {waiting.map((application) => (
          <ApplicationRow key={application.id} application={application} />
        ))}
      </ul>
      {answered.length > 0 && (
        <details className={styles.answered}>
          <summary>{t('requests.answered', { count: answered.length })}</summary>
          <ul className={styles.rows}>
            {answered.map((application) => (
              <ApplicationRow key={application.id} application={application} />
            ))}
          </ul>
        </details>
      )}
    </Panel>
  )
}

function ApplicationRow({ application }: { application: Application }) {
  const { t } = useTranslation('social-people')
  const answer = useAnswer()
  const { id, person, text, direction, state, at } = application
  const isToAnswer = direction === 'received' && state === 'waiting'
  const give = (accept: boolean) => answer.mutate({ applicationId: id, accept })
  return (
    <PersonRow
      person={person}
      name={<PersonName person={person} />}
      about={
        <>
          {text !== '' && <p className={styles.requestText}>{text}</p>}
          <small className={styles.soft}>
            {t(`requests.${direction}.${state}`)} ·{' '}
            <time dateTime={at} title={formatDate(at)}>
              {formatDate(at, 'relative')}
            </time>
          </small>
        </>
      }
      actions={
        isToAnswer && (
          <>
            <Button
              type="primary"
              disabled={answer.isPending}
              aria-label={t('requests.acceptOf', { name: person.nickName })}
              onClick={() => give(true)}
            >
              {t('do.accept')}
            </Button>
            <Button
              disabled={answer.isPending}
              aria-label={t('requests.refuseOf', { name: person.nickName })}
              onClick={() => give(false)}
            >
              {t('do.refuse')}
            </Button>
          </>
        )
      }
    />
  )
}
