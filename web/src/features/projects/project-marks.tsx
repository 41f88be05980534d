import { GlobalOutlined, LockOutlined, TeamOutlined } from '@ant-design/icons'
import type { Project, Visibility } from '@neuroloom/contract/projects'
import { Tag } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

const icons: Record<Visibility, ReactNode> = {
  private: <LockOutlined aria-hidden />,
  shared: <TeamOutlined aria-hidden />,
  public: <GlobalOutlined aria-hidden />,
}

/** Who may see a project, and whose it is where that is somebody else. */
export function ProjectMarks({ project: { visibility, owner } }: { project: Project }) {
  const { t } = useTranslation('projects')
  return (
    <>
      <Tag icon={icons[visibility]}>{t(`visibility.${visibility}`)}</Tag>
      {owner !== '' && <Tag color="blue">{t('by', { name: owner })}</Tag>}
    </>
  )
}
