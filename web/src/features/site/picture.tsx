import { useTranslation } from 'react-i18next'
import { currentLanguage } from '../../lib/i18n.ts'
import type { PictureName } from './article-pictures.ts'
import styles from './picture.module.css'

export function Picture({ name, text }: { name: PictureName; text: string }) {
  // Renders anew when the language changes.
  useTranslation('common')
  return (
    <figure className={styles.figure}>
      <img
        className={styles.picture}
        src={`/pictures/${currentLanguage()}/${name}.webp`}
        alt={text}
        width={1280}
        height={800}
        loading="lazy"
        decoding="async"
      />
      <figcaption>{text}</figcaption>
    </figure>
  )
}
