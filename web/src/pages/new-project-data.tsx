import { FolderOpenOutlined } from '@ant-design/icons'
import { isLearned } from '@neuroloom/contract/task'
import { Button } from 'antd'
import { type MouseEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FolderPicker } from '../features/files/folder/folder-picker.tsx'
import { UploadButton } from '../features/files/upload/upload-button.tsx'
import { type NewProject, newProjectForm } from '../features/projects/new-project-dialog.tsx'
import { SampleButton } from '../features/projects/sample-button.tsx'
import styles from './project-home.module.css'
import { beginFor, useRecognise } from './project-uploads.ts'

/** Where a new project's pictures are: a folder of this computer, one of the cloud, to be said later; or sample images. */
export function NewProjectData({ project }: { project: NewProject }) {
  const { t } = useTranslation(['projects', 'runs'])
  const [isChoosing, setChoosing] = useState(false)
  // A folder was given, but the project could not be made yet: it waits for the next try.
  const [isGiven, setGiven] = useState(false)
  const [owner] = useState(makeLater<string>)
  const recognise = useRecognise()
  /** Nothing is picked for a form that would be refused. */
  const guard = (event: MouseEvent) => {
    if (!project.check()) event.stopPropagation()
  }
  const upload = (keys: readonly number[]) => {
    setGiven(true)
    project.create(({ id }) => {
      beginFor(id, keys)
      owner.settle(id)
    })
  }
  const lookAt = async (folderId: string | null) => {
    if (folderId !== null) await recognise(await owner.promise, folderId)
  }
  const choose = (folderId: string) => {
    setChoosing(false)
    setGiven(true)
    project.create(({ id }) => void recognise(id, folderId))
  }
  // Studies of flow come in the project itself.
  const isLater = !isLearned(project.task)
  if (isGiven || isLater) {
    return (
      <div className={styles.ways}>
        <p role="status">{t(isLater ? 'flowLater' : 'dataGiven')}</p>
        <Button type="primary" size="large" htmlType="submit" form={newProjectForm} loading={project.isBusy}>
          {t('create')}
        </Button>
      </div>
    )
  }
  return (
    <div className={styles.ways}>
      <span onClickCapture={guard}>
        <UploadButton
          parentId={null}
          kind="folder"
          type="primary"
          size="large"
          label={t('runs:project.upload')}
          onBegun={upload}
          onFinished={(folderId) => void lookAt(folderId)}
        />
      </span>
      <Button
        size="large"
        icon={<FolderOpenOutlined aria-hidden />}
        onClick={() => project.check() && setChoosing(true)}
      >
        {t('runs:project.useCloud')}
      </Button>
      <Button size="large" htmlType="submit" form={newProjectForm} loading={project.isBusy}>
        {t('dataLater')}
      </Button>
      <SampleButton isLarge onCreated={project.close} />
      <FolderPicker
        open={isChoosing}
        title={t('runs:project.pickFolder')}
        onClose={() => setChoosing(false)}
        onPick={choose}
      />
    </div>
  )
}

/** A value that comes later, and the way to give it. */
function makeLater<T>() {
  let settle: (value: T) => void = () => {}
  const promise = new Promise<T>((resolve) => {
    settle = resolve
  })
  return { promise, settle: (value: T) => settle(value) }
}
