import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import { useTitle } from '../../../ui/page.tsx'
import { Weave } from '../../../ui/pictures/weave.tsx'
import styles from './entrance.module.css'
import { PublicBar } from './public-bar.tsx'
import { type PublicSetting, usePublicSetting } from './public-setting.ts'

type EntranceProps = {
  title: string
  lead: string
  /** What the form is for: of use only where people do that themselves; elsewhere it says who does. */
  needs?: 'registration' | 'renewal'
  /** A long form takes the whole width. */
  isWide?: boolean
  /** In the place of the ways in for who has no account or no password. */
  foot?: ReactNode
  children: ReactNode
}

/** The frame of the pages before the workspace: what the product is on one side, a form on the other. */
export function Entrance({ title, lead, needs, isWide = false, foot, children }: EntranceProps) {
  const { t } = useTranslation(['accounts', 'common'])
  const setting = usePublicSetting()
  useTitle(title)
  const isClosed = needs !== undefined && setting?.[needs] === false
  return (
    <div className={styles.page}>
      <PublicBar />
      <main className={`${styles.main} ${isWide ? styles.wide : ''}`}>
        <section className={styles.story}>
          <h2>{t('login.story.title')}</h2>
          <p>{t('login.story.text')}</p>
          <Weave answers={[t('common:answers.chest'), t('common:answers.head'), t('common:answers.cells')]} />
        </section>
        <section className={styles.card}>
          <h1>{title}</h1>
          <p className={styles.lead}>{isClosed ? t('register.closed') : lead}</p>
          {!isClosed && children}
          {!isClosed && needs && setting?.trial && (
            <p className={styles.help}>
              {setting.outbox ? (
                <>
                  {t('code.trial')} <a href="/dev/outbox">{t('code.outbox')}</a>
                </>
              ) : (
                t('code.trialElsewhere')
              )}
            </p>
          )}
          {foot && <p className={styles.ways}>{foot}</p>}
          {foot === undefined &&
            (needs ? (
              <p className={styles.help}>
                <Link to="/login">{t('register.toLogin')}</Link>
              </p>
            ) : (
              <LoginHelp setting={setting} />
            ))}
        </section>
      </main>
    </div>
  )
}

/** Ways in for who has no account or no password. */
function LoginHelp({ setting }: { setting: PublicSetting | null }) {
  const { t } = useTranslation('accounts')
  // A group to join goes along.
  const { search } = useLocation()
  if (setting === null) return <p className={styles.help}>&nbsp;</p>
  if (!setting.renewal) return <p className={styles.help}>{t('login.help')}</p>
  return (
    <p className={styles.ways}>
      <Link to="/forget">{t('login.forgot')}</Link>
      {setting.registration && <Link to={`/register${search}`}>{t('login.register')}</Link>}
    </p>
  )
}
