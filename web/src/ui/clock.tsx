/** Date, time and weekday, each second. Renders itself alone. */
import { client } from '@neuroloom/contract/limits'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDate, formatWeekday } from '../lib/format.ts'
import styles from './clock.module.css'

export function Clock() {
  // Renders anew when the language changes.
  useTranslation('common')
  const now = useNow()
  const [date = '', time = ''] = formatDate(now).split(' ')
  return (
    <time className={styles.clock} dateTime={`${date}T${time}`}>
      <span className={styles.date}>{date.replaceAll('-', '/')}</span>
      <span className={styles.time}>{time}</span>
      <span className={styles.long}>{formatWeekday(now, 'long')}</span>
      <span className={styles.short}>{formatWeekday(now, 'short')}</span>
    </time>
  )
}

/** Ticks with the full second, so that it never skips one. */
function useNow(): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const rest = client.clockMs - (now.getTime() % client.clockMs)
    const timer = setTimeout(() => setNow(new Date()), rest)
    return () => clearTimeout(timer)
  }, [now])
  return now
}
