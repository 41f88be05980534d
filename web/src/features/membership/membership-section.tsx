import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatDate } from '../../lib/format.ts'
import { levelOf } from '../../lib/level-names.ts'
import { useUser } from '../../lib/session.ts'
import styles from './upgrade.module.css'

const GOLD = 4

/** Which level one has and until when, and the way to a higher one. */
export function MembershipSection({ onUpgrade }: { onUpgrade: () => void }) {
  const { t } = useTranslation(['membership', 'levels'])
  const user = useUser()
  if (user === null) return null
  const { vipLevel, vipSuper, vipValid } = user
  const isSuper = vipSuper !== 0
  const isPaid = vipLevel > 1 && !isSuper
  const isEndless = isPaid && vipValid === null
  const level = t(`levels:${levelOf(user)}`)
  return (
    <div className={styles.section}>
      <div>
        <p className={styles.level}>{level}</p>
        <p>{isSuper ? t('section.super') : validity()}</p>
      </div>
      {!isSuper && !(isEndless && vipLevel === GOLD) && (
        <Button type="primary" size="large" onClick={onUpgrade}>
          {t(vipLevel === GOLD ? 'section.renew' : 'section.upgrade')}
        </Button>
      )}
      <p className={styles.help}>
        {isPaid && !isEndless && `${t('section.ends')} `}
        <Link to="/tutorial/registration#levels">{t('upgrade.allLimits')}</Link>
      </p>
    </div>
  )

  function validity(): string {
    if (!isPaid) return t(vipLevel === 1 ? 'section.ordinary' : 'section.visitor')
    return vipValid === null ? t('levels:forever') : t('levels:until', { date: formatDate(vipValid, 'day') })
  }
}
