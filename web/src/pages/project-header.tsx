import { FolderOpenOutlined } from '@ant-design/icons'
import type { Project } from '@neuroloom/contract/projects'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { ProjectMarks } from '../features/projects/project-marks.tsx'
import { ProjectMenu } from '../features/projects/project-menu.tsx'
import { leftAt } from '../lib/last-tab.ts'
import { PageHeader } from '../ui/page.tsx'
import styles from './project-detail.module.css'

/** What a project is for, whose it is, and what may be done with it as a whole. */
export function ProjectHeader({ project }: { project: Project }) {
  const { t } = useTranslation(['runs', 'projects', 'tasks'])
  const navigate = useNavigate()
  const { id, name, description, task, access, owner, shareId } = project
  return (
    <PageHeader
      title={name}
      subtitle={
        <>
          <p>{description || t(`tasks:sentence.${task}`)}</p>
          <div className={styles.marks}>
            <ProjectMarks project={project} />
          </div>
          {access === 'own' ? null : (
            <p className={styles.note}>
              {t(`projects:access.${shareId === null ? 'public' : access}`, { name: owner, context: task })}
            </p>
          )}
        </>
      }
      name={name}
      back={{ to: leftAt('/projectHome'), label: t('project.toProjects') }}
      actions={
        <>
          <Link to={`/projectFile?id=${encodeURIComponent(id)}`}>
            <FolderOpenOutlined aria-hidden /> {t('project.toFiles')}
          </Link>
          <ProjectMenu project={project} isOnPage onGone={() => void navigate(leftAt('/projectHome'))} />
        </>
      }
    />
  )
}
