import { useTranslation } from 'react-i18next'
import { useHead } from '../../features/site/head.ts'
import { SiteLink } from '../../features/site/site-link.tsx'
import { TutorialSearch } from '../../features/site/tutorial-search.tsx'
import { tutorialNames } from '../../features/site/tutorials.ts'
import styles from './tutorial.module.css'

/** All tutorials, and a search over them. */
export function Tutorial() {
  const { t } = useTranslation('tutorial')
  useHead({ title: t('title'), description: t('description') })
  return (
    <div className={styles.page}>
      <h1>{t('title')}</h1>
      <p className={styles.lead}>{t('lead')}</p>
      <TutorialSearch />
      <ol className={styles.list}>
        {tutorialNames.map((name) => (
          <li key={name}>
            <SiteLink to={`/tutorial/${name}`} className={styles.card}>
              <h2>{t(`pages.${name}.title`)}</h2>
              <p>{t(`pages.${name}.description`)}</p>
            </SiteLink>
          </li>
        ))}
      </ol>
    </div>
  )
}
