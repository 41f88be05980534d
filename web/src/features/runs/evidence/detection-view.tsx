import type { Decision, DetectionCurve } from '@neuroloom/contract/evidence'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber, formatPercent } from '../../../lib/format.ts'
import { formatMetric, formatThreshold } from '../../../lib/metric.ts'
import { SquareChart } from '../../../ui/charts/square-chart.tsx'
import { ScrollRegion } from '../../../ui/scroll-region.tsx'
import tables from '../results/tables.module.css'
import styles from './evidence.module.css'
import { boxesAt, type ReachedBoxes, startOf } from './threshold.ts'
import { ThresholdChoice } from './threshold-choice.tsx'

const asItIs = (name: string): string => name

/** One class of found boxes: how many are found and how many are right, at a threshold that one may move. */
export function DetectionView({ curves, decisions }: { curves: DetectionCurve[]; decisions: Decision[] }) {
  const { t } = useTranslation('evidence')
  // That of which there is most to see.
  const most = curves.reduce<DetectionCurve | undefined>(
    (found, one) => (found && found.boxes >= one.boxes ? found : one),
    undefined,
  )
  const [chosen, setChosen] = useState(most?.class)
  const [moved, setMoved] = useState<number | null>(null)
  const threshold = moved ?? startOf(decisions, chosen)
  const curve = curves.find((one) => one.class === chosen) ?? curves[0]
  if (!curve) return null
  const { class: name, boxes, points, averagePrecision } = curve
  const { recall, precision } = boxesAt(curve, decisions, threshold)
  return (
    <>
      <p className={styles.lead}>{t('detections.lead')}</p>
      <ThresholdChoice
        classes={curves.map((one) => one.class)}
        classNameOf={asItIs}
        chosen={name}
        onChoose={(next) => {
          setChosen(next)
          setMoved(null)
        }}
        threshold={threshold}
        onMove={setMoved}
        label={t('detections.named', { share: formatThreshold(threshold) })}
      />
      <ul className={styles.said} aria-live="polite">
        <li>{t('detections.found', { name, boxes, share: formatPercent(recall, 1) })}</li>
        <li>
          {precision === null
            ? t('detections.none', { name })
            : t('detections.right', { name, share: formatPercent(precision, 1) })}
        </li>
      </ul>
      <div className={styles.charts}>
        {points.length > 0 ? (
          <SquareChart
            title={t('detections.pr', { value: formatMetric('ap50', averagePrecision) })}
            x={t('detections.x')}
            y={t('detections.y')}
            points={points.map((one) => [one.recall, one.precision])}
            marked={precision === null ? null : [recall, precision]}
            guide={null}
          />
        ) : (
          <p>{t('detections.nothing', { name })}</p>
        )}
        <ClassTable curves={curves} decisions={decisions} threshold={threshold} />
      </div>
      <p className={styles.note}>{t('detections.overlap')}</p>
    </>
  )
}

type TableProps = { curves: DetectionCurve[]; decisions: Decision[]; threshold: number }

/** `shown` counts at the threshold of the slider, and moves with it. */
function ClassTable({ curves, decisions, threshold }: TableProps) {
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
          {curves.map((curve) => (
            <tr key={curve.class}>
              <th scope="row">{curve.class}</th>
              <td className={tables.number}>{formatNumber(curve.boxes)}</td>
              <td className={tables.number}>{shownText(boxesAt(curve, decisions, threshold))}</td>
              <td className={tables.number}>{formatMetric('ap50', curve.averagePrecision)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}

const shownText = ({ shown }: ReachedBoxes): string => (shown === null ? '–' : formatNumber(shown))
