import { canTune, type PlanLimits, planLimits } from '@neuroloom/contract/limits'
import { useTranslation } from 'react-i18next'
import { formatBytes, formatNumber } from '../../lib/format.ts'
import styles from './article.module.css'

const levels = ['visitor', 'ordinary', 'bronze', 'silver', 'gold', 'super'] as const
type Level = (typeof levels)[number]

/** What works in this version; sharing and groups get their lines when they do. */
const rows = ['projects', 'topFolders', 'storageBytes', 'trainedModels', 'recycleDays'] as const

/** Quotas of each membership level, as the product itself keeps them. */
export function LevelsTable() {
  const { t } = useTranslation(['tutorial', 'accounts'])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable
    <section className={styles.scroll} tabIndex={0} aria-label={t('levels.name')}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t('levels.level')}</th>
            {rows.map((row) => (
              <th key={row} scope="col">
                {t(`levels.${row}`)}
              </th>
            ))}
            <th scope="col">{t('levels.tuning')}</th>
          </tr>
        </thead>
        <tbody>
          {levels.map((level) => (
            <tr key={level}>
              <th scope="row">{t(`accounts:level.${level}`)}</th>
              {rows.map((row) => (
                <td key={row}>{shown(row, planLimits(member(level))[row]) ?? t('levels.unlimited')}</td>
              ))}
              <td>{t(canTune(member(level)) ? 'levels.yes' : 'levels.no')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

const member = (level: Level) => ({ vipLevel: levels.indexOf(level), vipSuper: level === 'super' ? 1 : 0 })

function shown(row: keyof PlanLimits, value: number | null): string | null {
  if (value === null) return null
  return row === 'storageBytes' ? formatBytes(value) : formatNumber(value)
}
