import { roles } from '@neuroloom/contract/accounts/roles'
import type { Task } from '@neuroloom/contract/task'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { usePublicSetting } from '../../features/accounts/entrance/public-setting.ts'
import { Demo } from '../../features/demo/demo.tsx'
import type { PictureName } from '../../features/site/article-pictures.ts'
import { useHead } from '../../features/site/head.ts'
import { isShown } from '../../features/site/home-links.tsx'
import { networkCount } from '../../features/site/network-count.ts'
import { Picture } from '../../features/site/picture.tsx'
import { SiteLink } from '../../features/site/site-link.tsx'
import * as goal from '../../lib/goal.ts'
import { useUser } from '../../lib/session.ts'
import { ButtonLink } from '../../ui/button.tsx'
import {
  AdminIcon,
  CloudIcon,
  FlaskIcon,
  LockIcon,
  NetworkIcon,
  OutlineIcon,
  ProjectIcon,
  RunIcon,
  SocialIcon,
  SortIcon,
  TouchIcon,
} from '../../ui/pictures/pictograms.tsx'
import { Weave } from '../../ui/pictures/weave.tsx'
import styles from './home.module.css'

/** The public front page: what this is, how it goes, what works today. */
export function Home() {
  const { t } = useTranslation(['site', 'common'])
  const user = useUser()
  useHead({ title: t('head.title'), description: t('head.description') })
  return (
    <>
      <section className={styles.hero}>
        <div>
          <p className={styles.kicker}>{t('hero.kicker')}</p>
          <h1>{t('hero.title')}</h1>
          <p className={styles.lead}>{t('hero.text')}</p>
          {user === null ? (
            <VisitorActions />
          ) : (
            <Actions to="/mangeHome" label={t('hero.open')}>
              <HowItWorks />
            </Actions>
          )}
        </div>
        <Weave answers={[t('common:answers.chest'), t('common:answers.head'), t('common:answers.cells')]} />
      </section>
      <div className={styles.section} id="demo">
        <Demo />
      </div>
      <Views />
      <Steps />
      <Tasks />
      <Promises />
      <Modules />
      <Pages />
    </>
  )
}

/**
 * Sign-in first, or a new account where people make their own. Both rows share one place and the line below them is
 * reserved, so that nothing moves when the server answers which one applies.
 */
function VisitorActions() {
  const { t } = useTranslation(['site', 'common'])
  const isOpen = usePublicSetting()?.registration === true
  return (
    <>
      <div className={styles.alternatives}>
        <Actions to="/login" label={t('hero.start')} isHidden={isOpen}>
          <HowItWorks />
        </Actions>
        <Actions to="/register" label={t('hero.create')} isHidden={!isOpen}>
          <ButtonLink to="#demo" look="quiet" size="large">
            {t('hero.try')}
          </ButtonLink>
        </Actions>
      </div>
      <p className={styles.member} data-open={isOpen}>
        {t('hero.member')} <Link to="/login">{t('common:signIn')}</Link>
      </p>
    </>
  )
}

type ActionsProps = { to: string; label: string; isHidden?: boolean; children: ReactNode }

/** The main button and, beside it, the other way on. */
function Actions({ to, label, isHidden = false, children }: ActionsProps) {
  return (
    <div className={styles.heroActions} inert={isHidden} aria-hidden={isHidden}>
      <ButtonLink to={to} size="large">
        {label}
      </ButtonLink>
      {children}
    </div>
  )
}

function HowItWorks() {
  const { t } = useTranslation('site')
  return (
    <SiteLink to="/step" className={styles.more}>
      {t('hero.how')}
    </SiteLink>
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
      <p className={styles.further}>
        <SiteLink to="/step">{t('steps.more')}</SiteLink>
      </p>
    </section>
  )
}

/** A record, so that a task added to the contract cannot be forgotten here; in the order shown. */
const kindOf: Record<Task, 'name' | 'find' | 'improve'> = {
  classification: 'name',
  multilabel: 'name',
  detection: 'find',
  segmentation: 'find',
  volume_segmentation: 'find',
  super_resolution: 'improve',
  denoising: 'improve',
}
const tasks = Object.keys(kindOf) as Task[] // The record's own keys.
const kinds = [
  { kind: 'name', icon: <SortIcon /> },
  { kind: 'find', icon: <OutlineIcon /> },
  { kind: 'improve', icon: <FlaskIcon /> },
] as const

function Tasks() {
  const { t } = useTranslation(['site', 'tasks'])
  return (
    <section className={styles.band} aria-labelledby="tasks-title">
      <div className={styles.section}>
        <h2 id="tasks-title">{t('tasks.title')}</h2>
        <p className={styles.sub}>{t('tasks.text', networkCount())}</p>
        <div className={styles.tasks}>
          {kinds.map(({ kind, icon }) => (
            <article key={kind} className={styles.task}>
              <span className={styles.taskIcon}>{icon}</span>
              <h3>{t(`tasks.kind.${kind}`)}</h3>
              <dl>
                {tasks
                  .filter((task) => kindOf[task] === kind)
                  .map((task) => (
                    <div key={task}>
                      <dt>{t(`tasks:name.${task}`)}</dt>
                      <dd>
                        {t(`tasks:answer.${task}`)} <span>{t(`tasks:example.${task}`)}</span>
                      </dd>
                    </div>
                  ))}
              </dl>
            </article>
          ))}
        </div>
        <p className={styles.further}>
          <SiteLink to="/tool">{t('tasks.more')}</SiteLink>
          <SiteLink to="/tutorial/dripe">{t('tasks.draw')}</SiteLink>
        </p>
      </div>
    </section>
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
  { name: 'dripe', to: '/dripe', icon: <NetworkIcon /> },
  { name: 'social', to: '/socialHome', icon: <SocialIcon /> },
  { name: 'admin', to: '/admin', icon: <AdminIcon /> },
] as const

/** The tiles that work; a visitor comes by the sign-in page. */
function Modules() {
  const { t } = useTranslation('site')
  const user = useUser()
  const isMember = user !== null && user.role !== roles.administrator
  const setting = usePublicSetting()
  const hasCommunity = isShown('social', setting) && user?.role !== roles.provider
  const shown = modules.filter(
    ({ name }) => (name !== 'admin' || !isMember) && (name !== 'social' || hasCommunity),
  )
  return (
    <section className={styles.section} aria-labelledby="modules-title">
      <h2 id="modules-title">{t('modules.title')}</h2>
      <div className={styles.modules}>
        {shown.map(({ name, to, icon }) => (
          <Link
            key={name}
            to={user === null ? '/login' : to}
            className={styles.module}
            onClick={() => user === null && goal.remember({ pathname: to })}
          >
            {icon}
            <h3>{t(`modules.${name}.title`)}</h3>
            <p>{t(`modules.${name}.text`)}</p>
          </Link>
        ))}
      </div>
    </section>
  )
}

const views = ['running', 'result', 'worst', 'dripe'] as const satisfies readonly PictureName[]

/** The product itself, as it looks while it works. */
function Views() {
  const { t } = useTranslation('site')
  return (
    <section className={styles.section} aria-labelledby="views-title">
      <h2 id="views-title">{t('views.title')}</h2>
      <div className={styles.views}>
        {views.map((name) => (
          <Picture key={name} name={name} text={t(`views.${name}`)} />
        ))}
      </div>
    </section>
  )
}

const pages = ['description', 'scenes', 'tutorial', 'consult'] as const

/** Where to read on. */
function Pages() {
  const { t } = useTranslation('site')
  return (
    <section className={styles.band} aria-labelledby="pages-title">
      <div className={styles.section}>
        <h2 id="pages-title">{t('readOn.title')}</h2>
        <div className={styles.modules}>
          {pages.map((name) => (
            <SiteLink key={name} to={`/${name}`} className={styles.module}>
              <h3>{t(`pages.${name}`)}</h3>
              <p>{t(`readOn.${name}`)}</p>
            </SiteLink>
          ))}
        </div>
      </div>
    </section>
  )
}
