import { useTranslation } from 'react-i18next'
import { Panel } from '../../../ui/page.tsx'
import { peakFrame } from '../run/numbers.ts'
import run from '../run/run.module.css'
import { Curve } from '../viewer/curve.tsx'
import type { Compared } from './compared.ts'

type Values = readonly (number | null)[]

/** Curves of both runs over each other, where their frames are at the same times. */
export function ComparedCurves({ one, other }: { one: Compared; other: Compared }) {
  const { t } = useTranslation(['flow-run', 'flow', 'runs'])
  const { times } = one.study.head
  const isAlike =
    times.length > 1 &&
    times.length === other.study.head.times.length &&
    times.every((time, frame) => Math.abs(time - (other.study.head.times[frame] ?? Number.NaN)) < SAME)
  if (!isAlike) return null
  const names = [one, other].map(nameOf)
  const lines = (of: (side: Compared) => Values, factor: number) =>
    [one, other].map((side, index) => ({
      name: names[index] ?? '',
      values: of(side).map((value) => (value === null ? Number.NaN : factor * value)),
    }))
  const charts = [
    { name: 'speed', unit: t('curves.cms'), lines: lines(({ results }) => results.speed.p99, 100) },
    { name: 'energy', unit: t('curves.mj'), lines: lines(({ results }) => results.energy, 1000) },
    { name: 'loss', unit: t('curves.mw'), lines: lines(({ results }) => results.loss, 1000) },
    { name: 'vortices', unit: '%', lines: lines(({ results }) => results.vortices.q, 100) },
  ]
  return (
    <Panel title={t('curves.title')}>
      <div className={run.charts}>
        {charts.map((chart) => (
          <div key={chart.name}>
            <h3>{t(`curves.${chart.name}`)}</h3>
            <Curve
              label={t(`curves.${chart.name}`)}
              unit={chart.unit}
              x={times.map((time) => 1000 * time)}
              xUnit={t('curves.ms')}
              lines={chart.lines}
              at={peakFrame(one.results)}
            />
          </div>
        ))}
      </div>
    </Panel>
  )

  function nameOf({ run: { number }, study: { head } }: Compared): string {
    const flow = t('runs:list.flow', { number })
    return head.sharpened ? `${flow} (${t('flow:learned.mark', { factor: head.sharpened.factor })})` : flow
  }
}

/** Seconds: frames of two reconstructions of one scan lie no further apart. */
const SAME = 0.002
