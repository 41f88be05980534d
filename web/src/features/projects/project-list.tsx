import type { Project } from '@neuroloom/contract/projects'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import card from '../../ui/card.module.css'
import { ConfirmRemove } from '../../ui/confirm-remove.tsx'
import styles from './project-card.module.css'
import { ProjectCard } from './project-card.tsx'
import { RenameProjectDialog } from './rename-project-dialog.tsx'
import { useRemoveProject } from './use-remove-project.ts'

/** Projects as cards, with renaming and deleting. */
export function ProjectList({ projects }: { projects: readonly Project[] }) {
  const { t } = useTranslation('projects')
  const [renaming, setRenaming] = useState<Project | null>(null)
  const [removing, setRemoving] = useState<Project | null>(null)
  const remove = useRemoveProject()
  const handleRemove = (project: Project) => {
    // A run that is going on would be stopped: that cannot be undone, so it is asked for.
    if (isRunning(project)) setRemoving(project)
    else remove.mutate({ id: project.id })
  }
  return (
    <>
      <ul className={`${card.grid} ${styles.grid}`}>
        {projects.map((project) => (
          <ProjectCard
            key={project.id}
            project={project}
            onRename={() => setRenaming(project)}
            onRemove={() => handleRemove(project)}
          />
        ))}
      </ul>
      {renaming && <RenameProjectDialog project={renaming} open onClose={() => setRenaming(null)} />}
      {removing && (
        <ConfirmRemove
          open
          title={t('removeRunning.title', { name: removing.name })}
          text={t('removeRunning.text')}
          onConfirm={() => remove.mutateAsync({ id: removing.id })}
          onClose={() => setRemoving(null)}
        />
      )}
    </>
  )
}

const isRunning = ({ lastRun }: Project) => lastRun?.state === 'running' || lastRun?.state === 'queued'
