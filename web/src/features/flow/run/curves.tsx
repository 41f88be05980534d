import type { FlowResults } from '@neuroloom/contract/flow/run'
import type { FlowStudy } from '@neuroloom/contract/flow/study'
import { useTranslation } from 'react-i18next'
import { LearnedMark } from '../learned/learned.tsx'
import { Curve } from '../viewer/curve.tsx'
import { peakFrame } from './numbers.ts'
import styles from './run.module.css'

type Values = readonly (number | null)[]

/** The numbers over the heartbeat; the dashed line stands where blood is fastest. */
export function Curves({ results, head }: { results: FlowResults; head: FlowStudy }) {
  const { t } = useTranslation('flow-run')
  const { speed, energy, loss, vorticity, vortices } = results
  const drawn = (values: Values, factor: number) =>
    values.map((value) => (value === null ? Number.NaN : factor * value))
  const charts = [
    {
      name: 'speed',
      unit: t('curves.cms'),
      lines: [
        { name: t('curves.p99'), values: drawn(speed.p99, 100) },
        { name: t('curves.mean'), values: drawn(speed.mean, 100) },
      ],
    },
    { name: 'energy', unit: t('curves.mj'), lines: [{ name: '', values: drawn(energy, 1000) }] },
    { name: 'loss', unit: t('curves.mw'), lines: [{ name: '', values: drawn(loss, 1000) }] },
    ...(vorticity
      ? [
          {
            name: 'vorticity',
            unit: t('curves.rate'),
            lines: [
              { name: t('curves.p99'), values: drawn(vorticity.p99, 1) },
              { name: t('curves.mean'), values: drawn(vorticity.mean, 1) },
            ],
          },
        ]
      : []),
    {
      name: 'vortices',
      unit: '%',
      lines: [
        { name: 'Q', values: drawn(vortices.q, 100) },
        { name: 'λ2', values: drawn(vortices.lambda2, 100) },
      ],
    },
  ]
  return (
    <>
      <h3 className={styles.heading}>
        {t('curves.title')} {head.sharpened && <LearnedMark factor={head.sharpened.factor} />}
      </h3>
      <div className={styles.charts}>
        {charts.map(({ name, unit, lines }) => (
          <div key={name}>
            <h4>{t(`curves.${name}`)}</h4>
            <Curve
              label={t(`curves.${name}`)}
              unit={unit}
              x={head.times.map((time) => 1000 * time)}
              xUnit={t('curves.ms')}
              lines={lines}
              at={peakFrame(results)}
            />
          </div>
        ))}
      </div>
    </>
  )
}
