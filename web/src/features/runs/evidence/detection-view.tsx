import type { Decision, DetectionCurve } from '@neuroloom/contract/evidence'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber, formatPercent } from '../../../lib/format.ts'
import { formatMetric } from '../../../lib/metric.ts'
import { SquareChart } from '../../../ui/charts/square-chart.tsx'
import { ScrollRegion } from '../../../ui/scroll-region.tsx'
import tables from '../results/tables.module.css'
import styles from './evidence.module.css'
import { reachedAt, startOf } from './threshold.ts'
import { ThresholdChoice } from './threshold-choice.tsx'

const asItIs = (name: string): string => name

/** One class of found boxes: how many are found and how many are right, at a threshold that one may move. */
export function DetectionView({ curves, decisions }: { curves: DetectionCurve[]; decisions: Decision[] }) {
  const { t } = useTranslation('evidence')
  const [chosen, setChosen] = useState(curves[0]?.class)
  const [threshold, setThreshold] = useState(startOf(decisions, chosen))
  const curve = curves.find((one) => one.class === chosen) ?? curves[0]
  if (!curve) return null
  const { class: name, boxes, points, averagePrecision } = curve
  const reached = reachedAt(points, threshold)
  return (
    <>
      <p className={styles.lead}>{t('detections.lead')}</p>
      <ThresholdChoice
        classes={curves.map((one) => one.class)}
        classNameOf={asItIs}
        chosen={name}
        onChoose={setChosen}
        threshold={threshold}
        onMove={setThreshold}
        label={t('detections.named', { share: formatPercent(threshold, 0) })}
      />
      <ul className={styles.said} aria-live="polite">
        <li>{t('detections.found', { name, boxes, share: formatPercent(reached?.recall ?? 0, 1) })}</li>
        <li>
          {reached
            ? t('detections.right', { name, share: formatPercent(reached.precision, 1) })
            : t('detections.none', { name })}
        </li>
      </ul>
      <div className={styles.charts}>
        {points.length > 0 ? (
          <SquareChart
            title={t('detections.pr', { value: formatMetric('ap50', averagePrecision) })}
            x={t('detections.x')}
            y={t('detections.y')}
            points={points.map(({ recall, precision }) => [recall, precision])}
            marked={reached ? [reached.recall, reached.precision] : null}
            guide={null}
          />
        ) : (
          <p>{t('detections.nothing', { name })}</p>
        )}
        <ClassTable curves={curves} />
      </div>
      <p className={styles.note}>{t('detections.overlap')}</p>
    </>
  )
}

function ClassTable({ curves }: { curves: DetectionCurve[] }) {
  const { t } = useTranslation('evidence')
  return (
    <ScrollRegion name={t('detections.table')} className={tables.scroll}>
      <table className={tables.table}>
        <thead>
          <tr>
            <th scope="col">{t('detections.class')}</th>
            {(['boxes', 'shown', 'precision'] as const).map((column) => (
              <th key={column} scope="col" className={tables.number}>
                {t(`detections.${column}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {curves.map(({ class: name, boxes, found, averagePrecision }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td className={tables.number}>{formatNumber(boxes)}</td>
              <td className={tables.number}>{formatNumber(found)}</td>
              <td className={tables.number}>{formatMetric('ap50', averagePrecision)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}
