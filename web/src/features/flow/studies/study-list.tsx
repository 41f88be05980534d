import { Button } from 'antd'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { useLive } from '../../../lib/live.ts'
import { useAction, usePages } from '../../../lib/query.ts'
import { useUser } from '../../../lib/session.ts'
import cards from '../../../ui/card.module.css'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Loading } from '../../../ui/loading.tsx'
import { MoreButton } from '../../../ui/more-button.tsx'
import { Page, PageHeader } from '../../../ui/page.tsx'
import { knownAddress, studyAddress } from '../address.ts'
import styles from '../flow.module.css'
import { ResearchNote } from '../research-note.tsx'
import { AboutFlow } from './about-flow.tsx'
import { MissingNote } from './missing-note.tsx'
import { StudyCard } from './study-card.tsx'

/** Chooses files or a folder of the cloud; the page composes it. */
export type FilePicker = (props: {
  open: boolean
  busy: boolean
  title: string
  okText: string
  onPick: (ids: string[]) => void
  onClose: () => void
}) => ReactNode

/** Own studies, newest first, and the two ways to another one. */
export function StudyList({ picker: Picker }: { picker: FilePicker }) {
  const { t } = useTranslation('flow')
  const navigate = useNavigate()
  const [isPicking, setPicking] = useState(false)
  const user = useUser()
  useLive(user && { kind: 'user', id: user.id }, { refresh: ['flow/studies'] })
  const query = usePages('flow/studies', {})
  const open = useAction('flow/open', {
    refresh: ['flow/studies'],
    onDone: ({ id }) => void navigate(studyAddress(id)),
  })
  const missing = query.data?.pages[0]?.missing ?? []
  const studies = query.data?.pages.flatMap((page) => page.studies) ?? []
  const isOff = missing.length > 0 || !query.isSuccess
  const ways = (
    <>
      <Button type="primary" disabled={isOff} onClick={() => setPicking(true)}>
        {t('open')}
      </Button>
      <Button disabled={isOff} onClick={() => void navigate(knownAddress)}>
        {t('known')}
      </Button>
    </>
  )
  return (
    <Page>
      <PageHeader
        title={t('title')}
        subtitle={
          <>
            <p>{t('subtitle')}</p>
            <ResearchNote />
          </>
        }
        actions={studies.length > 0 && ways}
      />
      <div className={styles.stack}>
        <MissingNote missing={missing} />
        {query.isPending && <Loading shape="cards" count={3} />}
        {query.isError && studies.length === 0 && (
          <ErrorState error={query.error} retry={() => void query.refetch()} />
        )}
        {query.isSuccess && studies.length === 0 && <AboutFlow ways={ways} />}
        {studies.length > 0 && (
          <ul className={cards.grid} aria-label={t('list.label')}>
            {studies.map((study) => (
              <StudyCard key={study.id} study={study} />
            ))}
          </ul>
        )}
        <MoreButton query={query} />
      </div>
      <Picker
        open={isPicking}
        busy={open.isPending}
        title={t('picker.title')}
        okText={t('picker.use')}
        onPick={(ids) => open.mutate({ ids })}
        onClose={() => setPicking(false)}
      />
    </Page>
  )
}
