/** The parts of a page, each with its own address; which parts there are is the page's affair. */
import { Link } from 'react-router'
import { useScrollHints } from './hooks/use-scroll-hints.ts'
import styles from './tab-links.module.css'

type TabLinksProps<Key extends string> = {
  /** What the bar is called. */
  label: string
  tabs: readonly { key: Key; label: string; to: string }[]
  current: Key
}

export function TabLinks<Key extends string>({ label, tabs, current }: TabLinksProps<Key>) {
  return (
    <nav ref={useScrollHints()} className={styles.tabs} aria-label={label}>
      {tabs.map(({ key, label: name, to }) => (
        <Link key={key} to={to} aria-current={key === current ? 'page' : undefined}>
          {name}
        </Link>
      ))}
    </nav>
  )
}
