import type { Task } from '@neuroloom/contract/task'
import { Button } from 'antd'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../../lib/query.ts'
import { Page, PageHeader, Panel } from '../../../ui/page.tsx'
import { type Draft, newDraft } from './draft.ts'
import { Missing, SetFields, wrongIn } from './set-fields.tsx'
import styles from './sets.module.css'

type Folder = { id: string; name: string }
export type PickerProps = { open: boolean; onPick: (folder: Folder) => void; onClose: () => void }
type SetFormProps = {
  folder: Folder | null
  projectId: string | null
  /** Of the project: says what is marked at first. */
  task: Task | null
  /** Chooses a folder of the cloud; the page composes it. */
  picker: (props: PickerProps) => ReactNode
  onMade: (id: string) => void
}

/** A new set: which images, what is marked, with which classes. */
export function SetForm({ folder: given, projectId, task, picker, onMade }: SetFormProps) {
  const { t } = useTranslation('labelling')
  const [draft, setDraft] = useState(() => newDraft(task))
  const [folder, setFolder] = useState(given)
  const [isPicking, setIsPicking] = useState(false)
  const [isTried, setIsTried] = useState(false)
  const create = useAction('labelling/create', {
    refresh: ['labelling/list'],
    onDone: ({ id }) => onMade(id),
  })
  const set = (change: Partial<Draft>) => setDraft({ ...draft, ...change })
  const make = () => {
    setIsTried(true)
    const { lacks, problem } = wrongIn(draft)
    if (folder && lacks.length === 0 && !problem) create.mutate({ ...draft, folderId: folder.id, projectId })
  }
  return (
    <Page>
      <PageHeader
        title={t('form.title')}
        subtitle={t('form.subtitle')}
        back={{ to: '/labelling', label: t('sets.title') }}
      />
      <Panel>
        <div className={styles.form}>
          <SetFields draft={draft} isTried={isTried} onChange={set}>
            <div>
              <span className={styles.label}>{t('form.folder')}</span>
              <div className={styles.folder}>
                {folder && <b>{folder.name}</b>}
                <Button onClick={() => setIsPicking(true)}>
                  {t(folder ? 'form.otherFolder' : 'form.chooseFolder')}
                </Button>
              </div>
              {isTried && !folder && <Missing text={t('form.missing.folder')} />}
            </div>
          </SetFields>
          <div>
            <Button type="primary" size="large" loading={create.isPending} onClick={make}>
              {t('form.make')}
            </Button>
          </div>
        </div>
      </Panel>
      {picker({
        open: isPicking,
        onClose: () => setIsPicking(false),
        onPick: (chosen) => {
          setFolder(chosen)
          setIsPicking(false)
        },
      })}
    </Page>
  )
}
