import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './items.module.css'

/** Side by side in one picture, as the engine draws it; the last two only where the truth is known. */
const allParts = ['input', 'result', 'truth', 'error'] as const
/** Pixels between two parts. */
const gap = 4

type Props = { source: string; alt: string; isJudged?: boolean }

/** A wide picture of four parts or two, each cut out and named, so that they fit a phone two by two. */
export function RestoredStrip({ source, alt, isJudged = true }: Props) {
  const { t } = useTranslation(['runs', 'results'])
  const [shape, setShape] = useState('1')
  const parts = isJudged ? allParts : allParts.slice(0, 2)
  const gaps = gap * (parts.length - 1)
  return (
    <span className={styles.strip} role="img" aria-label={alt} data-parts={parts.length}>
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
          <small>{t(`results:items.strip.${part}`)}</small>
        </span>
      ))}
    </span>
  )
}
