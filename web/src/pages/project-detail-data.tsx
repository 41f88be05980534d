import { FolderOpenOutlined } from '@ant-design/icons'
import type { Dataset } from '@neuroloom/contract/datasets'
import { Button, Progress } from 'antd'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { DatasetCard } from '../features/datasets/dataset-card.tsx'
import { ExistingDatasetPicker } from '../features/datasets/existing-dataset-picker.tsx'
import { FolderLayouts } from '../features/datasets/folder-layouts.tsx'
import { SampleRow } from '../features/datasets/sample-strip.tsx'
import { UploadButton } from '../features/files/upload/upload-button.tsx'
import type { LearnedProject } from '../features/projects/learned-project.ts'
import { StepSection, type StepState } from '../features/runs/train/step-section.tsx'
import { lazyPart } from '../ui/lazy-part.tsx'
import styles from './project-detail.module.css'
import { beginFor, useIsLooking, useProjectUploads, useRecognise } from './project-uploads.ts'

/** Of projects that others see. The page waits for it: above its buttons, it would move them while they are pressed. */
export const SharedFull = lazyPart(async () => (await import('../ui/share/shared-count.tsx')).SharedFull)

/** Of the own projects, when something is to be trained. */
export const UsedLimit = lazyPart(async () => (await import('../ui/limits/used-limit.tsx')).UsedLimit)

const FolderPicker = lazyPart(
  async () => (await import('../features/files/folder/folder-picker.tsx')).FolderPicker,
  { over: true },
)

type Props = {
  project: LearnedProject
  datasets: readonly Dataset[]
  state: StepState
  /** Whether something else is looked at by now. */
  isFolded: boolean
}

/** Step 1: the data of a project. A folder that arrives is looked at by itself. */
export function ProjectData({ project, datasets, state, isFolded }: Props) {
  const { t } = useTranslation('runs')
  const [choosing, setChoosing] = useState(false)
  const [picking, setPicking] = useState(false)
  const mayChange = project.access !== 'view'
  const recognise = useRecognise()
  const isBusy = useIsLooking(project.id)
  const jobs = useProjectUploads(project.id)
  const isArriving = jobs.length > 0 || isBusy
  const actions = (isMain: boolean) => (
    <>
      <UploadButton
        parentId={null}
        kind="folder"
        label={t('project.upload')}
        onBegun={(keys) => beginFor(project.id, keys)}
        onFinished={(folderId) => folderId && void recognise(project.id, folderId)}
        {...(isMain ? { type: 'primary' as const, size: 'large' as const } : {})}
      />
      <Button
        icon={<FolderOpenOutlined aria-hidden />}
        size={isMain ? 'large' : 'medium'}
        onClick={() => setChoosing(true)}
      >
        {t('project.useCloud')}
      </Button>
      <Button
        type={isMain ? 'link' : 'default'}
        className={(isMain ? styles.plain : '') ?? ''}
        onClick={() => setPicking(true)}
      >
        {t('project.useExisting')}
      </Button>
      <Link to={`/labelling?new&project=${encodeURIComponent(project.id)}`}>{t('project.label')}</Link>
    </>
  )
  return (
    <StepSection
      number={1}
      title={t('project.data')}
      state={state}
      extra={datasets.length > 0 && mayChange ? actions(false) : null}
      folded={
        isFolded && !isArriving ? (
          <div className={styles.datasets}>
            {datasets.map((dataset) => (
              <SampleRow key={dataset.id} dataset={dataset} />
            ))}
          </div>
        ) : null
      }
    >
      {mayChange && isSeenByOthers(project) && (
        <Suspense fallback={null}>
          <SharedFull kind="datasets" />
        </Suspense>
      )}
      <RunningUploads jobs={jobs} />
      {isBusy ? (
        <p className={styles.running} role="status">
          {t('project.recognising')}
        </p>
      ) : null}
      {datasets.length > 0 ? (
        <div className={styles.datasets}>
          {datasets.map((dataset) => (
            <DatasetCard key={dataset.id} dataset={dataset} project={project} />
          ))}
        </div>
      ) : null}
      {datasets.length === 0 && !isArriving && mayChange ? (
        <Invitation task={project.task}>{actions(true)}</Invitation>
      ) : null}
      {datasets.length === 0 && !mayChange ? <p className={styles.quiet}>{t('project.noData')}</p> : null}
      {choosing && (
        <Suspense fallback={null}>
          <FolderPicker
            open
            title={t('project.pickFolder')}
            busy={isBusy}
            onClose={() => setChoosing(false)}
            onPick={(folderId) =>
              void recognise(project.id, folderId).then((isDone) => isDone && setChoosing(false))
            }
          />
        </Suspense>
      )}
      <ExistingDatasetPicker
        open={picking}
        projectId={project.id}
        task={project.task}
        onClose={() => setPicking(false)}
      />
    </StepSection>
  )
}

/** Somebody else's, or given away: what the member brings here reaches others at once. */
const isSeenByOthers = ({ access, visibility }: LearnedProject): boolean =>
  access !== 'own' || visibility !== 'private'

function Invitation({ task, children }: { task: LearnedProject['task']; children: React.ReactNode }) {
  const { t } = useTranslation('runs')
  return (
    <div className={styles.invite}>
      <div className={styles.inviteText}>
        <h3>{t('project.inviteTitle')}</h3>
        <p className={styles.quiet}>{t(`project.invite.${task}`)}</p>
        <div className={styles.inviteActions}>{children}</div>
      </div>
      <FolderLayouts task={task} />
    </div>
  )
}

type UploadJob = ReturnType<typeof useProjectUploads>[number]

function RunningUploads({ jobs }: { jobs: readonly UploadJob[] }) {
  const { t } = useTranslation('runs')
  return jobs.map(({ key, name, share }) => (
    <div key={key} className={styles.running} role="status">
      <span>{t('project.uploading', { name })}</span>
      <Progress percent={Math.floor(share * 100)} aria-label={t('project.uploading', { name })} />
    </div>
  ))
}
