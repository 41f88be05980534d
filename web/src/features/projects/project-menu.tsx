import {
  CopyOutlined,
  DeleteOutlined,
  DownloadOutlined,
  EditOutlined,
  FolderOpenOutlined,
  GlobalOutlined,
  LockOutlined,
  LogoutOutlined,
  MoreOutlined,
  ShareAltOutlined,
} from '@ant-design/icons'
import type { Project } from '@neuroloom/contract/projects'
import { openStates } from '@neuroloom/contract/run-states'
import { Button, Dropdown } from 'antd'
import type { TFunction } from 'i18next'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { lazyPart } from '../../ui/lazy-part.tsx'
import type { Asked } from './project-dialogs.tsx'
import { useProjectActions } from './use-project-actions.ts'

const ProjectDialogs = lazyPart(async () => (await import('./project-dialogs.tsx')).ProjectDialogs, {
  over: true,
})

type ProjectMenuProps = {
  project: Project
  /** On the project's own page: a button with words, and no way to where one is. */
  isOnPage?: boolean
  /** Hears that the project is deleted or given up. */
  onGone?: () => void
}

type Action = Asked | 'open' | 'unpublish'

/** Everything that the caller may do with a project as a whole. */
export function ProjectMenu({ project, isOnPage = false, onGone }: ProjectMenuProps) {
  const { t } = useTranslation('projects')
  const navigate = useNavigate()
  const [asked, setAsked] = useState<Asked | null>(null)
  const actions = useProjectActions(project, onGone)
  const confirm = (what: Asked) => {
    if (what === 'publish') return actions.setPublic(true)
    return what === 'leave' ? actions.leave() : actions.remove()
  }
  const handleClick = ({ key }: { key: string }) => {
    const action = key as Action // The keys below.
    if (action === 'open') void navigate(`/projectDetail?id=${encodeURIComponent(project.id)}`)
    // Refusals are told by the call.
    else if (action === 'unpublish') actions.setPublic(false).catch(() => {})
    // A run that is going on would be stopped: that cannot be undone, so it is asked for.
    else if (action === 'remove' && !isRunning(project)) actions.remove().catch(() => {})
    else setAsked(action)
  }
  const items = itemsFor(project, t).filter(({ key }) => !(isOnPage && key === 'open'))
  return (
    <>
      <Dropdown menu={{ items, onClick: handleClick }} trigger={['click']} placement="bottomRight">
        <Button
          type={isOnPage ? 'default' : 'text'}
          icon={<MoreOutlined aria-hidden />}
          aria-label={t('actionsOf', { name: project.name })}
        >
          {isOnPage && t('actions')}
        </Button>
      </Dropdown>
      <Suspense>
        {asked && (
          <ProjectDialogs
            project={project}
            asked={asked}
            onConfirm={confirm}
            onClose={() => setAsked(null)}
          />
        )}
      </Suspense>
    </>
  )
}

type Item = { key: Action; icon: React.ReactNode; label: string; danger?: boolean }

/** Only what would not be refused. */
function itemsFor({ access, visibility, shareId }: Project, t: TFunction<'projects'>): Item[] {
  const isOwn = access === 'own'
  const publish: Item =
    visibility === 'public'
      ? { key: 'unpublish', icon: <LockOutlined aria-hidden />, label: t('unpublish') }
      : { key: 'publish', icon: <GlobalOutlined aria-hidden />, label: t('publish') }
  const rename: Item = { key: 'rename', icon: <EditOutlined aria-hidden />, label: t('rename') }
  return [
    { key: 'open', icon: <FolderOpenOutlined aria-hidden />, label: t('open') },
    ...(access === 'view' ? [] : [rename]),
    { key: 'copy', icon: <CopyOutlined aria-hidden />, label: t('copy') },
    ...(isOwn
      ? [{ key: 'share' as const, icon: <ShareAltOutlined aria-hidden />, label: t('share') }, publish]
      : []),
    { key: 'archive', icon: <DownloadOutlined aria-hidden />, label: t('download') },
    ...(isOwn
      ? [{ key: 'remove' as const, icon: <DeleteOutlined aria-hidden />, label: t('remove'), danger: true }]
      : []),
    ...(shareId === null
      ? []
      : [{ key: 'leave' as const, icon: <LogoutOutlined aria-hidden />, label: t('leave'), danger: true }]),
  ]
}

const isRunning = ({ lastRun }: Project) => openStates.some((state) => state === lastRun?.state)
