import { useTranslation } from 'react-i18next'
import { currentLanguage } from '../../lib/i18n.ts'
import type { PictureName } from './article-pictures.ts'
import styles from './picture.module.css'

export function Picture({ name, text }: { name: PictureName; text: string }) {
  // Renders anew when the language changes.
  const { t } = useTranslation('common')
  return (
    <figure className={styles.figure}>
      <img
        className={styles.picture}
        src={`/pictures/${currentLanguage()}/${name}.webp`}
        // What it shows stands below it, and need not be read twice.
        alt={t('screenshot')}
        width={1280}
        height={800}
        loading="lazy"
        decoding="async"
      />
      <figcaption>{text}</figcaption>
    </figure>
  )
}
