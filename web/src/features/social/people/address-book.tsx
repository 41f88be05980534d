import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLive } from '../../../lib/live.ts'
import { useUser } from '../../../lib/session.ts'
import { Panel } from '../../../ui/page.tsx'
import { Applications } from './applications.tsx'
import { Book } from './book.tsx'
import { FindPeople } from './find-people.tsx'
import { OwnCard } from './own-card.tsx'
import styles from './people.module.css'

/** Friends by letter, requests, finding people, and what others see of oneself. */
export function AddressBook() {
  const { t } = useTranslation('social-people')
  const user = useUser()
  // Counted, so that each press leads to the field again.
  const [findings, setFindings] = useState(0)
  useLive(user === null ? null : { kind: 'user', id: user.id }, {
    refresh: ['social/applications', 'social/friends'],
  })
  return (
    <div className={styles.columns}>
      <div className={styles.stack}>
        <Applications />
        <Book onFind={() => setFindings((count) => count + 1)} />
      </div>
      <div className={styles.stack}>
        <Panel title={t('find.title')}>
          <FindPeople focusCount={findings} />
        </Panel>
        <Panel title={t('own.title')}>
          <OwnCard />
        </Panel>
      </div>
    </div>
  )
}
