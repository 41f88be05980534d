import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useHead } from '../../features/site/head.ts'
import { Inline } from '../../features/site/inline.tsx'
import styles from './contact-page.module.css'

/** The frame of the two pages with a form: what it is for beside it. */
export function ContactPage({ name, children }: { name: 'consult' | 'concat'; children: ReactNode }) {
  const { t } = useTranslation(name)
  useHead({ title: t('title'), description: t('description') })
  return (
    <div className={styles.page}>
      <div className={styles.story}>
        <h1>{t('title')}</h1>
        <p className={styles.lead}>{t('lead')}</p>
        <ul className={styles.points}>
          {(['answer', 'privacy', 'other'] as const).map((point) => (
            <li key={point}>
              <Inline text={t(`points.${point}`)} />
            </li>
          ))}
        </ul>
      </div>
      <div className={styles.card}>{children}</div>
    </div>
  )
}
