import type { Announcement } from '@neuroloom/contract/office/operations'
import { Alert } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { languages } from '../../lib/language.ts'
import { useCall } from '../../lib/query.ts'
import styles from './announcement-banner.module.css'

const REFRESH_MS = 5 * 60_000
const SEEN = 'announcementsSeen'
/** Enough for all that can be shown at one time. */
const MOST_SEEN = 100

/** What administrators announce, above the page; what was closed stays closed in this browser. */
export function AnnouncementBanner() {
  const { i18n, t } = useTranslation('operations')
  const { data } = useCall('announcements/current', {}, { quiet: true, refetchInterval: REFRESH_MS })
  const [seen, setSeen] = useState(readSeen)
  const shown = data?.announcements.filter(({ id }) => !seen.includes(id)) ?? []
  if (shown.length === 0) return null
  const close = (id: string) => {
    const all = [...readSeen(), id].slice(-MOST_SEEN)
    setSeen(all)
    keepSeen(all)
  }
  return (
    <section className={styles.banner} aria-label={t('banner.title')}>
      {shown.map(({ id, kind, texts }) => (
        <Alert
          key={id}
          type={kind}
          showIcon
          banner
          title={textIn(texts, i18n.language)}
          closable={{ onClose: () => close(id), 'aria-label': t('banner.close') }}
        />
      ))}
    </section>
  )
}

/** In the reader's language, or in the first one there is. */
function textIn(texts: Announcement['texts'], language: string): string {
  const own = texts[languages.find((one) => one === language) ?? 'en']
  return own || texts.en || texts.zh || texts.ru
}

function readSeen(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(SEEN) ?? '[]')
    return Array.isArray(kept) ? kept.map(String) : []
  } catch {
    return []
  }
}

function keepSeen(ids: readonly string[]): void {
  try {
    localStorage.setItem(SEEN, JSON.stringify(ids))
  } catch {
    // A browser that keeps nothing shows it again.
  }
}
