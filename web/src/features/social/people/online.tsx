import { useTranslation } from 'react-i18next'
import styles from './people.module.css'

/** A sign and a word: never a colour alone. */
export function Online({ isOnline }: { isOnline: boolean }) {
  const { t } = useTranslation('social-people')
  return (
    <span className={styles.online} data-online={isOnline}>
      {t(isOnline ? 'online' : 'offline')}
    </span>
  )
}
