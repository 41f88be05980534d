import { ApartmentOutlined } from '@ant-design/icons'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import styles from './learned.module.css'

/** Rare: of studies that a network made finer. */
export const LearnedSentence = lazyPart(async () => (await import('./learned-sentence.tsx')).LearnedSentence)

type NoteProps = Parameters<typeof LearnedSentence>[0]

/** Stands wherever velocities are shown that nobody measured. How many times finer is told where it is known. */
export function LearnedMark({ factor }: { factor?: number }) {
  const { t } = useTranslation('flow')
  return (
    <span className={styles.mark} title={t('learned.tip')}>
      <ApartmentOutlined aria-hidden />
      {factor === undefined ? t('learned.plain') : t('learned.mark', { factor })}
    </span>
  )
}

/** The mark and what it means for the numbers beside it. */
export function LearnedNote({ sharpened }: NoteProps) {
  return (
    <div className={styles.note}>
      <LearnedMark factor={sharpened.factor} />
      <Suspense fallback={null}>
        <LearnedSentence sharpened={sharpened} />
      </Suspense>
    </div>
  )
}
