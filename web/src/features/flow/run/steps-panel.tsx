import type { FlowResults, FlowStep } from '@neuroloom/contract/flow/run'
import { useTranslation } from 'react-i18next'
import { formatPercent } from '../../../lib/format.ts'
import { Panel } from '../../../ui/page.tsx'
import { ScrollRegion } from '../../../ui/scroll-region.tsx'
import { DirectionsText } from './directions.tsx'
import styles from './run.module.css'
import { lightValue } from './words.ts'

/** What each correction found and left, and how sure the directions are. */
export function StepsPanel({ results }: { results: FlowResults }) {
  const { t } = useTranslation('flow-run')
  return (
    <Panel title={t('steps.title')}>
      <ScrollRegion name={t('steps.title')} className={styles.scroll}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">{t('steps.step')}</th>
              <th scope="col" className={styles.number}>
                {t('steps.before')}
              </th>
              <th scope="col" className={styles.number}>
                {t('steps.after')}
              </th>
              <th scope="col">{t('steps.meaning')}</th>
            </tr>
          </thead>
          <tbody>
            {results.steps.map((step) => (
              <StepRow key={step.name} step={step} />
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      <h3 className={styles.heading}>{t('directions.title')}</h3>
      <DirectionsText check={results.directions} />
    </Panel>
  )
}

function StepRow({ step: { name, isDone, before, after, numbers } }: { step: FlowStep }) {
  const { t } = useTranslation('flow-run')
  const text = (value: number | null) => {
    if (value === null) return '–'
    return lightValue(100 * value, name === 'offset' ? 'cm/s' : '%', t)
  }
  // A filter that was not needed has changed nothing.
  const hasNumbers = isDone || name !== 'filter'
  return (
    <tr>
      <th scope="row">{t(`step.${name}`)}</th>
      <td className={styles.number}>{text(hasNumbers ? before : null)}</td>
      <td className={styles.number}>{text(hasNumbers ? after : null)}</td>
      <td className={styles.sentence}>
        {isDone
          ? t(`stepText.${name}`, {
              share: formatPercent(numbers.share ?? 0, 0),
              changed: formatPercent(numbers.changed ?? 0, 2),
              components: numbers.components ?? 0,
            })
          : t(`stepOff.${name}`)}
      </td>
    </tr>
  )
}
