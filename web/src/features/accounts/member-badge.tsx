import { Tooltip } from 'antd'
import { useTranslation } from 'react-i18next'
import { levelOf } from '../../lib/level-names.ts'
import type { UserRecord } from '../../lib/session.ts'
import { hasNoLevels, usePublicSetting } from './entrance/public-setting.ts'
import styles from './member-badge.module.css'

/** The membership level as a medal; what it is and which level, in the tooltip and for screen readers. A hospital's own server has none. */
export function MemberBadge({ user }: { user: UserRecord }) {
  const { t } = useTranslation('levels')
  const setting = usePublicSetting()
  const level = levelOf(user)
  const name = t('medal', { level: t(level) })
  if (hasNoLevels(setting)) return null
  return (
    <Tooltip title={name}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the tooltip must open by keyboard too */}
      <span className={`${styles.badge} ${styles[level]}`} role="img" aria-label={name} tabIndex={0}>
        <svg width="24" height="24" viewBox="0 0 24 24" fill="none" aria-hidden="true">
          <path d="M8 13.5 6 21.5l6-3 6 3-2-8" fill="currentColor" opacity="0.45" />
          <circle cx="12" cy="9" r="7" fill="currentColor" />
          <path
            d={
              level === 'super'
                ? 'm8.2 11.5-.7-5 2.6 2 1.9-3 1.9 3 2.6-2-.7 5z'
                : 'm12 5 1.2 2.5 2.7.4-2 1.9.5 2.7-2.4-1.3-2.4 1.3.5-2.7-2-1.9 2.7-.4z'
            }
            fill="var(--nl-paper)"
          />
        </svg>
      </span>
    </Tooltip>
  )
}
