import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import { useTitle } from '../../../ui/page.tsx'
import { Weave } from '../../../ui/pictures/weave.tsx'
import styles from './entrance.module.css'
import { PublicBar } from './public-bar.tsx'
import { usePublicSetting } from './public-setting.ts'

type EntranceProps = {
  title: string
  lead: string
  /** The form is of use only where people make their own accounts; elsewhere it says who does. */
  needsRegistration?: boolean
  /** A long form takes the whole width. */
  isWide?: boolean
  /** In the place of the ways in for who has no account or no password. */
  foot?: ReactNode
  children: ReactNode
}

/** The frame of the pages before the workspace: what the product is on one side, a form on the other. */
export function Entrance({
  title,
  lead,
  needsRegistration = false,
  isWide = false,
  foot,
  children,
}: EntranceProps) {
  const { t } = useTranslation(['accounts', 'common'])
  const setting = usePublicSetting()
  useTitle(title)
  const isClosed = needsRegistration && setting?.registration === false
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
          {!isClosed && needsRegistration && setting?.trial && (
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
            (needsRegistration ? (
              <p className={styles.help}>
                <Link to="/login">{t('register.toLogin')}</Link>
              </p>
            ) : (
              <LoginHelp isOpen={setting?.registration ?? null} />
            ))}
        </section>
      </main>
    </div>
  )
}

/** Ways in for who has no account or no password; null = not known yet. */
function LoginHelp({ isOpen }: { isOpen: boolean | null }) {
  const { t } = useTranslation('accounts')
  // A group to join goes along.
  const { search } = useLocation()
  if (isOpen === null) return <p className={styles.help}>&nbsp;</p>
  if (!isOpen) return <p className={styles.help}>{t('login.help')}</p>
  return (
    <p className={styles.ways}>
      <Link to="/forget">{t('login.forgot')}</Link>
      <Link to={`/register${search}`}>{t('login.register')}</Link>
    </p>
  )
}
