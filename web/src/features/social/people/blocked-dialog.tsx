import type { Person } from '@neuroloom/contract/social/people'
import { Button, Modal } from 'antd'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../../lib/query.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Loading } from '../../../ui/loading.tsx'
import { PersonName } from './member-card.tsx'
import styles from './people.module.css'
import { PersonRow } from './people-list.tsx'
import { useRelation } from './use-relation.ts'

/** Whom one has blocked, and taking it back. */
export function BlockedDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('social-people')
  const { data, error, refetch } = useCall('social/blocked', {}, { quiet: true })
  return (
    <Modal open centered width={460} title={t('own.blocked')} footer={null} onCancel={onClose}>
      {!data && error && <ErrorState error={error} retry={() => void refetch()} />}
      {!data && !error && <Loading shape="rows" count={2} />}
      {data?.people.length === 0 && <p>{t('blocked.none')}</p>}
      <ul className={styles.rows} aria-label={t('own.blocked')}>
        {data?.people.map((person) => (
          <BlockedRow key={person.id} person={person} />
        ))}
      </ul>
    </Modal>
  )
}

function BlockedRow({ person }: { person: Person }) {
  const { t } = useTranslation('social-people')
  const { unblock } = useRelation(person)
  return (
    <PersonRow
      person={person}
      name={<PersonName person={person} />}
      actions={
        <Button aria-label={t('blocked.unblockOf', { name: person.nickName })} onClick={unblock}>
          {t('do.unblock')}
        </Button>
      }
    />
  )
}
