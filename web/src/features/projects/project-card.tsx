import { DeleteOutlined, EditOutlined, MoreOutlined } from '@ant-design/icons'
import type { Project } from '@neuroloom/contract/projects'
import { Button, Dropdown } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatDate, formatNumber } from '../../lib/format.ts'
import card from '../../ui/card.module.css'
import { LastRun } from './last-run.tsx'
import styles from './project-card.module.css'
import { TaskPicture } from './task-picture.tsx'

type ProjectCardProps = { project: Project; onRename: () => void; onRemove: () => void }

/** One project at a glance; the whole card leads into it. */
export function ProjectCard({ project, onRename, onRemove }: ProjectCardProps) {
  const { t } = useTranslation('projects')
  const { counts } = project
  const items = [
    { key: 'rename', icon: <EditOutlined aria-hidden />, label: t('rename') },
    { key: 'remove', icon: <DeleteOutlined aria-hidden />, label: t('remove'), danger: true },
  ]
  return (
    <li className={card.card}>
      <div className={card.head}>
        <TaskPicture task={project.task} size="small" />
        <div className={card.names}>
          <Link
            className={`${card.link} ${card.target}`}
            to={`/projectDetail?id=${encodeURIComponent(project.id)}`}
          >
            {project.name}
          </Link>
          <span>{t(`task.${project.task}.name`)}</span>
        </div>
        <div className={card.menu}>
          <Dropdown
            menu={{ items, onClick: ({ key }) => (key === 'rename' ? onRename() : onRemove()) }}
            trigger={['click']}
            placement="bottomRight"
          >
            <Button
              type="text"
              icon={<MoreOutlined aria-hidden />}
              aria-label={t('actionsOf', { name: project.name })}
            />
          </Dropdown>
        </div>
      </div>
      {project.description && <p className={styles.description}>{project.description}</p>}
      <LastRun project={project} />
      <div className={card.foot}>
        <span>
          {counts.files === 0
            ? t('noData')
            : t('fileCount', { count: counts.files, shown: formatNumber(counts.files) })}
        </span>
        {counts.runs > 0 && (
          <span>{t('runCount', { count: counts.runs, shown: formatNumber(counts.runs) })}</span>
        )}
        <time dateTime={project.modifiedAt}>{formatDate(project.modifiedAt, 'relative')}</time>
      </div>
    </li>
  )
}
