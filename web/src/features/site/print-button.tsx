import { useTranslation } from 'react-i18next'
import styles from './article.module.css'

export function PrintButton() {
  const { t } = useTranslation('site')
  return (
    <button type="button" className={styles.print} onClick={() => void print()}>
      <svg width="18" height="18" viewBox="0 0 18 18" fill="none" aria-hidden="true">
        <path
          d="M5 6.5V2.5h8v4M5 12.5H3a1 1 0 0 1-1-1v-4a1 1 0 0 1 1-1h12a1 1 0 0 1 1 1v4a1 1 0 0 1-1 1h-2M5 10.5h8v5H5z"
          stroke="currentColor"
          strokeWidth="1.4"
          strokeLinejoin="round"
        />
      </svg>
      {t('article.print')}
    </button>
  )
}

/** With all pictures, also those that nobody has scrolled to yet. */
async function print(): Promise<void> {
  const pictures = [...document.querySelectorAll('img')]
  for (const picture of pictures) picture.loading = 'eager'
  // One that cannot be loaded holds nothing up.
  await Promise.all(pictures.map((picture) => picture.decode().catch(() => undefined)))
  window.print()
}
