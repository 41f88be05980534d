import type { ProjectTab } from '@neuroloom/contract/projects'
import { useTranslation } from 'react-i18next'
import { TabLinks } from '../../ui/tab-links.tsx'

/** A record, so that a tab added to the contract cannot be forgotten here. */
const addresses: Record<ProjectTab, string> = {
  all: '/projectHome',
  public: '/projectHome?tab=public',
  private: '/projectHome?tab=private',
  shared: '/projectHome?tab=shared',
}
const projectTabs = Object.keys(addresses) as ProjectTab[] // The record's own keys.

/** The tab that an address asks for; all otherwise. */
export const readProjectTab = (text: string | null): ProjectTab =>
  projectTabs.find((tab) => tab === text) ?? 'all'

/** Projects by who may see them, each with its own address. */
export function ProjectTabs({ current }: { current: ProjectTab }) {
  const { t } = useTranslation('projects')
  const tabs = projectTabs.map((key) => ({ key, label: t(`tabs.${key}`), to: addresses[key] }))
  return <TabLinks label={t('tabs.label')} tabs={tabs} current={current} />
}
