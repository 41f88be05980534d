import {
  canDownloadPicture,
  canDownloadReport,
  canTune,
  hasPlainReport,
  type PlanLimits,
  planLimits,
  toolbox,
} from '@neuroloom/contract/limits'
import { hasTool } from '@neuroloom/contract/toolbox/toolbox'
import { useTranslation } from 'react-i18next'
import { formatBytes, formatNumber } from '../../lib/format.ts'
import styles from './article.module.css'
import { usePlanTable } from './plan-table.ts'

const levels = ['visitor', 'ordinary', 'bronze', 'silver', 'gold', 'super'] as const
type Level = (typeof levels)[number]

/** Every quota of the contract. */
const rows = [
  'projects',
  'topFolders',
  'storageBytes',
  'trainedModels',
  'sharedDatasets',
  'sharedModels',
  'shareAccounts',
  'dataGroups',
  'chatGroups',
  'recycleDays',
] as const satisfies readonly (keyof PlanLimits)[]

/** Rights that begin at a level. */
const rights = {
  report: canDownloadReport,
  picture: canDownloadPicture,
  plainReport: hasPlainReport,
  tools: (standing: ReturnType<typeof member>) => hasTool(standing, toolbox.queueLevel),
  tuning: canTune,
} as const

const rightNames = Object.keys(rights) as (keyof typeof rights)[] // The record's own keys.

/** Quotas and rights of each membership level, as the product itself keeps them. */
export function LevelsTable() {
  const { t } = useTranslation(['tutorial', 'levels'])
  const table = usePlanTable()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable
    <section className={styles.scroll} tabIndex={0} aria-label={t('levels.name')}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t('levels.level')}</th>
            {levels.map((level) => (
              <th key={level} scope="col">
                {t(`levels:${level}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row}>
              <th scope="row">{t(`levels.${row}`)}</th>
              {levels.map((level) => (
                <td key={level}>
                  {shown(row, planLimits(member(level), table)[row]) ?? t('levels.unlimited')}
                </td>
              ))}
            </tr>
          ))}
          {rightNames.map((right) => (
            <tr key={right}>
              <th scope="row">{t(`levels.${right}`)}</th>
              {levels.map((level) => (
                <td key={level}>{t(rights[right](member(level)) ? 'levels.yes' : 'levels.no')}</td>
              ))}
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
