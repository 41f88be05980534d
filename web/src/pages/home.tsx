import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { PublicBar } from '../features/accounts/public-bar.tsx'
import { usePublicSetting } from '../features/accounts/public-setting.ts'
import { useUser } from '../lib/session.ts'
import { ButtonLink } from '../ui/button.tsx'
import { useTitle } from '../ui/page.tsx'
import {
  CloudIcon,
  FlaskIcon,
  LockIcon,
  OutlineIcon,
  ProjectIcon,
  RunIcon,
  SortIcon,
  TouchIcon,
} from '../ui/pictograms.tsx'
import { Weave } from '../ui/weave.tsx'
import styles from './home.module.css'

/** The public front page: what this is, how it goes, what works today. */
export function Home() {
  const { t } = useTranslation(['site', 'common'])
  const user = useUser()
  useTitle('')
  return (
    <div className={styles.page}>
      <PublicBar hasSignIn />
      <main>
        <section className={styles.hero}>
          <div>
            <p className={styles.kicker}>{t('hero.kicker')}</p>
            <h1>{t('hero.title')}</h1>
            <p className={styles.lead}>{t('hero.text')}</p>
            <div className={styles.heroActions}>
              <ButtonLink to={user === null ? '/login' : '/mangeHome'} size="large">
                {t(user === null ? 'hero.start' : 'hero.open')}
              </ButtonLink>
              <a className={styles.more} href="#steps">
                {t('hero.how')}
              </a>
            </div>
          </div>
          <Weave answers={[t('common:answers.chest'), t('common:answers.head'), t('common:answers.cells')]} />
        </section>
        <Steps />
        <Tasks />
        <Promises />
        <Modules />
      </main>
      <Footer />
    </div>
  )
}

function Steps() {
  const { t } = useTranslation('site')
  return (
    <section className={styles.section} id="steps" aria-labelledby="steps-title">
      <h2 id="steps-title">{t('steps.title')}</h2>
      <ol className={styles.steps}>
        {(['upload', 'train', 'read'] as const).map((step, index) => (
          <li key={step}>
            <span className={styles.number} aria-hidden="true">
              {index + 1}
            </span>
            <h3>{t(`steps.${step}.title`)}</h3>
            <p>{t(`steps.${step}.text`)}</p>
          </li>
        ))}
      </ol>
    </section>
  )
}

function Tasks() {
  const { t } = useTranslation('site')
  return (
    <section className={styles.band} aria-labelledby="tasks-title">
      <div className={styles.section}>
        <h2 id="tasks-title">{t('tasks.title')}</h2>
        <p className={styles.sub}>{t('tasks.text')}</p>
        <div className={styles.tasks}>
          <Task icon={<SortIcon />} name="classification" />
          <Task icon={<OutlineIcon />} name="segmentation" />
        </div>
      </div>
    </section>
  )
}

function Task({ icon, name }: { icon: ReactNode; name: 'classification' | 'segmentation' }) {
  const { t } = useTranslation('site')
  return (
    <article className={styles.task}>
      <span className={styles.taskIcon}>{icon}</span>
      <div>
        <h3>{t(`tasks.${name}.title`)}</h3>
        <p>{t(`tasks.${name}.text`)}</p>
        <p className={styles.example}>{t(`tasks.${name}.example`)}</p>
      </div>
    </article>
  )
}

function Promises() {
  const { t } = useTranslation('site')
  const promises = [
    { name: 'local', icon: <LockIcon /> },
    { name: 'simple', icon: <TouchIcon /> },
    { name: 'honest', icon: <FlaskIcon /> },
  ] as const
  return (
    <section className={styles.section} aria-labelledby="promises-title">
      <h2 id="promises-title">{t('promises.title')}</h2>
      <ul className={styles.promises}>
        {promises.map(({ name, icon }) => (
          <li key={name}>
            {icon}
            <h3>{t(`promises.${name}.title`)}</h3>
            <p>{t(`promises.${name}.text`)}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}

const modules = [
  { name: 'project', to: '/projectHome', icon: <ProjectIcon /> },
  { name: 'cloud', to: '/cloudHome', icon: <CloudIcon /> },
  { name: 'ai', to: '/run', icon: <RunIcon /> },
] as const

/** The tiles that work; a visitor comes by the sign-in page. */
function Modules() {
  const { t } = useTranslation('site')
  const user = useUser()
  return (
    <section className={styles.section} aria-labelledby="modules-title">
      <h2 id="modules-title">{t('modules.title')}</h2>
      <div className={styles.modules}>
        {modules.map(({ name, to, icon }) => (
          <Link key={name} to={user === null ? '/login' : to} className={styles.module}>
            {icon}
            <h3>{t(`modules.${name}.title`)}</h3>
            <p>{t(`modules.${name}.text`)}</p>
          </Link>
        ))}
      </div>
    </section>
  )
}

function Footer() {
  const { t } = useTranslation('site')
  const setting = usePublicSetting()
  return (
    <footer className={styles.footer}>
      <div>
        <p>{t('footer.text')}</p>
        <nav aria-label={t('footer.links')}>
          <a href="#steps">{t('hero.how')}</a>
          <Link to="/login">{t('footer.signIn')}</Link>
        </nav>
        <small>Neuroloom {setting?.version ?? ''}</small>
      </div>
    </footer>
  )
}
