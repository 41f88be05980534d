import { sharedKinds } from '@neuroloom/contract/limits'
import type { Project } from '@neuroloom/contract/projects'
import { useTranslation } from 'react-i18next'
import { ConfirmRemove } from '../../ui/confirm-remove.tsx'
import { SharedCount } from '../../ui/share/shared-count.tsx'
import { ArchiveDialog } from './archive-dialog.tsx'
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
          title={t(`ask.${asked}.title`, { name: project.name })}
          text={
            <>
              {t(`ask.${asked}.text`)}
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
