import { useTranslation } from 'react-i18next'
import { currentLanguage } from '../../lib/i18n.ts'
import styles from './picture.module.css'

/** Pictures of the running product, made in each language by `npm run pictures`. */
export const pictureNames = [
  'projects',
  'project',
  'train',
  'running',
  'result',
  'worst',
  'cloud',
  'upload',
  'login',
  'register',
  'user-center',
  'dripe',
  'dripe-problems',
  'dripe-look',
  'dripe-gallery',
] as const
export type PictureName = (typeof pictureNames)[number]

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
