import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import styles from './cloud-tabs.module.css'

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
  const bar = useRef<HTMLElement>(null)
  // On a phone not all have room: the current one must be seen.
  useEffect(() => {
    const tab = bar.current?.querySelectorAll('a')[entries.indexOf(current)]
    if (bar.current && tab) bar.current.scrollLeft = tab.offsetLeft - bar.current.offsetLeft
  }, [current])
  return (
    <nav ref={bar} className={styles.tabs} aria-label={t('tabs.label')}>
      {entries.map((tab) => (
        <Link key={tab} to={addressOf(tab)} aria-current={tab === current ? 'page' : undefined}>
          {t(`tabs.${tab}`)}
        </Link>
      ))}
    </nav>
  )
}
