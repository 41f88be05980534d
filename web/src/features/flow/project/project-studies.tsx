import { Button } from 'antd'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { useAction } from '../../../lib/query.ts'
import { knownForAddress } from '../address.ts'
import { drawings } from '../known/drawings.tsx'
import { MissingNote } from '../studies/missing-note.tsx'
import type { FilePicker } from '../studies/study-list.tsx'
import { PickStudy } from './pick-study.tsx'
import styles from './project.module.css'
import { type ProjectStudy, StudyRow } from './study-row.tsx'
import { useAddStudy } from './use-add-study.ts'

type Props = {
  projectId: string
  studies: readonly ProjectStudy[]
  /** Packages that the server lacks. */
  missing: readonly string[]
  mayChange: boolean
  picker: FilePicker
}

/** The studies of a project, and the three ways to another one. */
export function ProjectStudies({ projectId, studies, missing, mayChange, picker }: Props) {
  const { t } = useTranslation('flow-project')
  const ways = <Ways projectId={projectId} studies={studies} missing={missing} picker={picker} />
  return (
    <div className={styles.stack}>
      <MissingNote missing={[...missing]} />
      {studies.length === 0 && !mayChange && <p className={styles.soft}>{t('studies.none')}</p>}
      {studies.length === 0 && mayChange && <Invitation>{ways}</Invitation>}
      {studies.length > 0 && (
        <>
          <ul className={styles.rows} aria-label={t('studies.title')}>
            {studies.map((study) => (
              <StudyRow key={study.id} study={study} projectId={projectId} mayChange={mayChange} />
            ))}
          </ul>
          {mayChange && <div className={styles.ways}>{ways}</div>}
        </>
      )}
    </div>
  )
}

function Invitation({ children }: { children: ReactNode }) {
  const { t } = useTranslation('flow-project')
  return (
    <div className={styles.invite}>
      <div aria-hidden="true">{drawings.womersley}</div>
      <div className={styles.inviteText}>
        <h3>{t('studies.emptyTitle')}</h3>
        <p className={styles.soft}>{t('studies.emptyText')}</p>
        <div className={styles.ways}>{children}</div>
      </div>
    </div>
  )
}

function Ways({ projectId, studies, missing, picker: Picker }: Omit<Props, 'mayChange'>) {
  const { t } = useTranslation(['flow-project', 'flow'])
  const navigate = useNavigate()
  const [way, setWay] = useState<'files' | 'own' | null>(null)
  const close = () => setWay(null)
  const add = useAddStudy()
  const open = useAction('flow/open', { refresh: ['flow/studies'] })
  const isOff = missing.length > 0
  const openFiles = async (ids: string[]) => {
    const study = await open.mutateAsync({ ids })
    close()
    add.mutate({ projectId, studyId: study.id })
  }
  return (
    <>
      <Button
        type={studies.length === 0 ? 'primary' : 'default'}
        disabled={isOff}
        onClick={() => setWay('files')}
      >
        {t('flow:open')}
      </Button>
      <Button onClick={() => setWay('own')}>{t('studies.choose')}</Button>
      <Button disabled={isOff} onClick={() => void navigate(knownForAddress(projectId))}>
        {t('studies.known')}
      </Button>
      <Picker
        open={way === 'files'}
        busy={open.isPending}
        title={t('flow:picker.title')}
        okText={t('flow:picker.use')}
        // A refusal is told by the call.
        onPick={(ids) => void openFiles(ids).catch(() => {})}
        onClose={close}
      />
      {way === 'own' && (
        <PickStudy
          taken={new Set(studies.map(({ id }) => id))}
          isBusy={add.isPending}
          onPick={(studyId) => add.mutate({ projectId, studyId }, { onSuccess: close })}
          onClose={close}
        />
      )}
    </>
  )
}
