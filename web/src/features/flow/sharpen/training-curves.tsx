import type { CurvePoint } from '@neuroloom/contract/runs'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/format.ts'
import run from '../run/run.module.css'
import { numberText } from '../run/words.ts'
import { Curve } from '../viewer/curve.tsx'
import { type Chart, errorChart, lossChart } from './curve-lines.ts'
import styles from './sharpen.module.css'

/** How the training goes; the dashed line stands at the epoch that is kept. */
export function TrainingCurves({ curves }: { curves: readonly CurvePoint[] }) {
  const { t } = useTranslation('flow-sharpen')
  const charts = [
    { name: 'error', unit: t('curves.cms'), ...errorChart(curves) },
    { name: 'loss', unit: '%', ...lossChart(curves) },
  ].filter(({ epochs }) => epochs.length > 1)
  const error = errorChart(curves)
  return (
    <div className={styles.stack}>
      {charts.length === 0 ? (
        <p className={styles.soft} role="status">
          {t('curves.waiting')}
        </p>
      ) : (
        <p className={styles.soft}>{t('curves.lead')}</p>
      )}
      {error.epochs.length > 0 && <Best {...error} />}
      <div className={run.charts}>
        {charts.map(({ name, unit, epochs, lines, at }) => (
          <div key={name}>
            <h3>{t(`curves.${name}`)}</h3>
            <Curve
              label={t(`curves.${name}`)}
              unit={unit}
              x={epochs}
              xUnit={t('curves.epoch')}
              lines={lines.map((line) => ({ ...line, name: nameOf(line.name) }))}
              at={at}
            />
          </div>
        ))}
      </div>
    </div>
  )
  function nameOf(line: string): string {
    return line === 'loss' ? '' : t(`method.${line}`)
  }
}

function Best({ epochs, lines, at }: Chart) {
  const { t } = useTranslation('flow-sharpen')
  const errors = Object.fromEntries(lines.map(({ name, values }) => [name, numberText(values[at])]))
  return <p>{t('curves.best', { epoch: formatNumber(epochs[at] ?? 0), ...errors })}</p>
}
