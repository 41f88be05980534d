import { decisionFigures } from '@neuroloom/contract/decision'
import type { Decision } from '@neuroloom/contract/evidence'
import type { Task } from '@neuroloom/contract/task'
import { useTranslation } from 'react-i18next'
import { useClassName } from '../../../lib/class-name.ts'
import { formatMetric, formatRange, formatThreshold } from '../../../lib/metric.ts'
import { ScrollRegion } from '../../../ui/scroll-region.tsx'
import styles from '../results/tables.module.css'
import evidenceStyles from './evidence.module.css'

/** How many cases of each class are found and how far its answers hold, by the thresholds that training chose. */
export function DecisionTable({ decisions, task }: { decisions: Decision[]; task: Task }) {
  const { t } = useTranslation('evidence')
  const classNameOf = useClassName(task)
  const has = (name: string) => decisions.some(({ figures }) => figures.some((one) => one.name === name))
  const columns = decisionFigures.filter(has)
  const shared = sharedThreshold(decisions)
  const hasThresholds = shared === null && decisions.some(({ threshold }) => threshold !== null)
  return (
    <>
      <p className={evidenceStyles.lead}>{t('decisions.lead')}</p>
      <ScrollRegion name={t('decisions.title')} className={styles.scroll}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">{t('decisions.class')}</th>
              {hasThresholds ? (
                <th scope="col" className={styles.number}>
                  {t('decisions.threshold')}
                </th>
              ) : null}
              {columns.map((name) => (
                <th key={name} scope="col" className={styles.number}>
                  {t(`decisions.figure.${name}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {decisions.map(({ class: name, threshold, figures }) => (
              <tr key={name}>
                <th scope="row">{classNameOf(name)}</th>
                {hasThresholds ? (
                  <td className={styles.number}>{threshold === null ? '–' : formatThreshold(threshold)}</td>
                ) : null}
                {columns.map((column) => (
                  <td key={column} className={styles.number}>
                    <Figure figure={figures.find((one) => one.name === column)} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      {shared === null ? (
        <Bases decisions={decisions} classNameOf={classNameOf} />
      ) : (
        <p className={evidenceStyles.lead}>
          {t(`decisions.shared.${shared.basis}`, { share: formatThreshold(shared.threshold) })}
        </p>
      )}
    </>
  )
}

/** The threshold of all classes, where it is one and came about in one way; null of a single class. */
function sharedThreshold([first, ...others]: Decision[]): {
  threshold: number
  basis: 'validation' | 'few' | 'usual'
} | null {
  if (!first || others.length === 0 || first.threshold === null) return null
  const { threshold, basis } = first
  if (basis === 'folds' || basis === 'likeliest') return null
  return others.every((one) => one.threshold === threshold && one.basis === basis)
    ? { threshold, basis }
    : null
}

function Figure({ figure }: { figure: Decision['figures'][number] | undefined }) {
  if (!figure || figure.value === null) return '–'
  return (
    <>
      {formatMetric('recall', figure.value)}
      {figure.interval ? (
        <span className={styles.range}> ({formatRange('recall', figure.interval)})</span>
      ) : null}
    </>
  )
}

/** How the thresholds came to be: one sentence for those that came about alike. */
function Bases({ decisions, classNameOf }: { decisions: Decision[]; classNameOf: (name: string) => string }) {
  const { t, i18n } = useTranslation('evidence')
  const list = new Intl.ListFormat(i18n.language)
  return (['validation', 'few', 'usual', 'folds'] as const).map((basis) => {
    const names = decisions
      .filter((one) => one.basis === basis)
      .map((one) => t('decisions.name', { name: classNameOf(one.class) }))
    if (names.length === 0) return null
    return (
      <p key={basis} className={evidenceStyles.lead}>
        {t(`decisions.basis.${basis}`, { classes: list.format(names) })}
      </p>
    )
  })
}
