import { sharedKinds } from '@neuroloom/contract/membership/counted'
import type { Project } from '@neuroloom/contract/projects'
import { Checkbox, Modal } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { download } from '../../lib/download.ts'
import { useAction } from '../../lib/query.ts'
import { ConfirmRemove } from '../../ui/confirm-remove.tsx'
import { SharedCount } from '../../ui/share/shared-count.tsx'
import { CopyProjectDialog } from './copy-project-dialog.tsx'
import { RenameProjectDialog } from './rename-project-dialog.tsx'
import { ShareProjectDialog } from './share-project-dialog.tsx'

/** What asks before it is done. */
export type Asked = 'rename' | 'copy' | 'share' | 'publish' | 'archive' | 'remove' | 'leave'

type ProjectDialogsProps = {
  project: Project
  asked: Asked
  /** Does what was confirmed. */
  onConfirm: (asked: Asked) => Promise<unknown>
  onClose: () => void
}

/** The dialog of one action; loaded with the first that is chosen. */
export function ProjectDialogs({ project, asked, onConfirm, onClose }: ProjectDialogsProps) {
  const { t } = useTranslation('projects')
  switch (asked) {
    case 'rename':
      return <RenameProjectDialog project={project} onClose={onClose} />
    case 'copy':
      return <CopyProjectDialog project={project} onClose={onClose} />
    case 'share':
      return <ShareProjectDialog project={project} onClose={onClose} />
    case 'archive':
      return <ArchiveDialog project={project} onClose={onClose} />
    case 'publish':
    case 'remove':
    case 'leave':
      return (
        <ConfirmRemove
          open
          title={t(`ask.${asked}.title`, { name: project.name, context: project.task })}
          text={
            <>
              {t(`ask.${asked}.text`, { context: project.task })}
              {asked === 'publish' && <SharedCount kinds={sharedKinds} />}
            </>
          }
          confirmLabel={t(`ask.${asked}.confirm`)}
          onConfirm={() => onConfirm(asked)}
          onClose={onClose}
        />
      )
  }
}

/** The whole project as one archive, with or without its pictures. */
function ArchiveDialog({ project, onClose }: { project: Project; onClose: () => void }) {
  const { t } = useTranslation(['projects', 'common'])
  const [withData, setWithData] = useState(true)
  const archive = useAction('projects/archive', {
    refresh: [],
    onDone: ({ url, name }) => {
      // Nobody knows its size before it is packed: it goes straight to the disk.
      void download({ url, name, sizeBytes: Number.POSITIVE_INFINITY })
      onClose()
    },
  })
  return (
    <Modal
      open
      centered
      width={520}
      title={t('archiveTitle', { name: project.name })}
      okText={t('download')}
      okButtonProps={{ loading: archive.isPending }}
      cancelText={t('common:cancel')}
      onOk={() => archive.mutate({ id: project.id, data: withData })}
      onCancel={onClose}
    >
      <p>{t('archiveText', { context: project.task })}</p>
      <Checkbox checked={withData} onChange={(event) => setWithData(event.target.checked)}>
        {t('archiveData')}
      </Checkbox>
    </Modal>
  )
}
