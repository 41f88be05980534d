import { useTranslation } from 'react-i18next'
import { TabLinks } from '../../ui/tab-links.tsx'

/** In the order of the specification: groups are the fourth. */
export const cloudTabs = ['own', 'public', 'shared', 'groups', 'recycle', 'records', 'conversions'] as const
export type CloudTab = (typeof cloudTabs)[number]

/** The tab that an address asks for; own files otherwise. */
export const readTab = (text: string | null): CloudTab => cloudTabs.find((tab) => tab === text) ?? 'own'

/** What projects use has a page of its own. */
const entries = [...cloudTabs, 'projects'] as const
type Entry = (typeof entries)[number]

function addressOf(entry: Entry): string {
  if (entry === 'projects') return '/cloudProject'
  return entry === 'own' ? '/cloudHome' : `/cloudHome?tab=${entry}`
}

/** The parts of the cloud storage, each with its own address. */
export function CloudTabs({ current }: { current: Entry }) {
  const { t } = useTranslation('files')
  const tabs = entries.map((key) => ({ key, label: t(`tabs.${key}`), to: addressOf(key) }))
  return <TabLinks label={t('tabs.label')} tabs={tabs} current={current} />
}
