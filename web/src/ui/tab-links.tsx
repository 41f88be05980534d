/** The parts of a page, each with its own address; which parts there are is the page's affair. */
import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import styles from './tab-links.module.css'

type TabLinksProps<Key extends string> = {
  /** What the bar is called. */
  label: string
  tabs: readonly { key: Key; label: string; to: string }[]
  current: Key
}

export function TabLinks<Key extends string>({ label, tabs, current }: TabLinksProps<Key>) {
  const bar = useRef<HTMLElement>(null)
  const place = tabs.findIndex(({ key }) => key === current)
  // On a phone not all have room: the current one must be seen.
  useEffect(() => {
    const tab = bar.current?.querySelectorAll('a')[place]
    if (bar.current && tab) bar.current.scrollLeft = tab.offsetLeft - bar.current.offsetLeft
  }, [place])
  return (
    <nav ref={bar} className={styles.tabs} aria-label={label}>
      {tabs.map(({ key, label: name, to }) => (
        <Link key={key} to={to} aria-current={key === current ? 'page' : undefined}>
          {name}
        </Link>
      ))}
    </nav>
  )
}
