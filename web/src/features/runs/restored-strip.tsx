import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './items.module.css'

/** Side by side in one picture, as the engine draws it. */
const parts = ['input', 'result', 'truth', 'error'] as const
/** Pixels between the parts, together. */
const gaps = 4 * (parts.length - 1)

/** A wide picture of four parts, each cut out and named, so that they fit a phone two by two. */
export function RestoredStrip({ source, alt }: { source: string; alt: string }) {
  const { t } = useTranslation('runs')
  const [shape, setShape] = useState('1')
  return (
    <span className={styles.strip} role="img" aria-label={alt}>
      {parts.map((part, index) => (
        <span key={part}>
          <img
            src={source}
            alt=""
            loading="lazy"
            style={{ aspectRatio: shape, objectPosition: `${(100 * index) / (parts.length - 1)}% 0` }}
            onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
              setShape(`${(naturalWidth - gaps) / parts.length} / ${naturalHeight}`)
            }
          />
          <small>{t(`items.strip.${part}`)}</small>
        </span>
      ))}
    </span>
  )
}
