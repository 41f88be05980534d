import { meanOf } from '@neuroloom/contract/flow/curve'
import {
  type FlowLight,
  type FlowMeasuredSection,
  type FlowSection,
  type FlowSectionNumbers,
  measuringFailures,
} from '@neuroloom/contract/flow/run'
import type { FlowRunDetail } from '@neuroloom/contract/flow/run-calls'
import { Alert, Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { formatPercent } from '../../../lib/format.ts'
import { Panel } from '../../../ui/page.tsx'
import { ScrollRegion } from '../../../ui/scroll-region.tsx'
import { LearnedMark } from '../learned/learned.tsx'
import { LightMark, LightRow } from './light.tsx'
import { most } from './numbers.ts'
import { PlaneRatio } from './plane-ratio.tsx'
import styles from './run.module.css'
import type { Saving } from './use-keep-sections.ts'
import { numberText } from './words.ts'

type Props = {
  detail: FlowRunDetail
  mayChange: boolean
  saving: Saving | null
  onMeasureAgain: (sections: FlowSection[]) => void
}

/** Of a beat; else what flows on average, or at the one moment. */
const columns = {
  beat: ['net', 'forward', 'backward', 'regurgitant', 'peak', 'across'],
  frames: ['meanRate', 'meanVelocity', 'area', 'peak', 'across'],
  moment: ['rate', 'meanVelocity', 'area', 'peak', 'across'],
} as const
type Column = (typeof columns)[keyof typeof columns][number]

/** The kept planes, as the engine measured them on the corrected study. */
export function PlanesPanel({ detail, mayChange, saving, onMeasureAgain }: Props) {
  const { t } = useTranslation('flow-run')
  const { isMeasuring, massBalance } = detail
  const { sharpened } = detail.study.head
  const sections = detail.sections.map((section) => told(section, isMeasuring))
  const failures: readonly (string | null)[] = measuringFailures
  const hasFailed = sections.some(({ refusal }) => failures.includes(refusal))
  const measured = sections.filter(({ numbers }) => numbers !== null)
  const hasBeat = measured.some(({ numbers }) => numbers?.net !== null)
  const isMoment = detail.study.head.frames === 1
  const kind = isMoment ? 'moment' : 'frames'
  return (
    <Panel
      title={t('planes.title')}
      extra={
        <>
          {saving && <span role="status">{t(`planes.${saving}`)}</span>}
          {sharpened && <LearnedMark factor={sharpened.factor} />}
        </>
      }
    >
      <div className={styles.stack}>
        {sections.length === 0 && (
          <p className={styles.soft}>{t(mayChange ? 'planes.none' : 'planes.noneView')}</p>
        )}
        {sections.length > 0 && <p className={styles.soft}>{t('planes.lead')}</p>}
        {isMeasuring && <p role="status">{t('planes.measuring')}</p>}
        {hasFailed && (
          <NotMeasured
            onAgain={mayChange ? () => onMeasureAgain(sections.map(asked)) : null}
            isSaving={saving === 'saving'}
          />
        )}
        {sections.length > 0 && <PlaneTable sections={sections} shown={columns[hasBeat ? 'beat' : kind]} />}
        {measured.length > 0 && !hasBeat && !isMoment && <p className={styles.soft}>{t('planes.noBeat')}</p>}
        {massBalance && (
          <ul className={styles.lights} aria-label={t('light.massBalance')}>
            <LightRow light={massBalance} />
          </ul>
        )}
        {measured.length > 1 && hasBeat && <PlaneRatio sections={measured} />}
      </div>
    </Panel>
  )
}

function NotMeasured({ onAgain, isSaving }: { onAgain: (() => void) | null; isSaving: boolean }) {
  const { t } = useTranslation('flow-run')
  const again = onAgain && (
    <Button size="small" disabled={isSaving} onClick={onAgain}>
      {t('planes.again')}
    </Button>
  )
  return <Alert type="error" showIcon title={t('planes.failed')} action={again} />
}

/** What nobody measures and nobody refused was given up before reasons were kept. */
const told = (section: FlowMeasuredSection, isMeasuring: boolean): FlowMeasuredSection =>
  section.numbers === null && section.refusal === null && !isMeasuring
    ? { ...section, refusal: 'not_measured' }
    : section

const asked = ({ name, centre, normal, region, radius, rule }: FlowMeasuredSection): FlowSection => ({
  ...{ name, centre, normal, region, radius, rule },
})

type TableProps = { sections: readonly FlowMeasuredSection[]; shown: readonly Column[] }

function PlaneTable({ sections, shown }: TableProps) {
  const { t } = useTranslation('flow-run')
  return (
    <ScrollRegion name={t('planes.title')} className={styles.scroll}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t('planes.name')}</th>
            {shown.map((column) => (
              <th key={column} scope="col" className={styles.number}>
                {t(`planes.${column}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sections.map((section, index) => (
            // Planes may be called alike; their order is what was kept.
            // biome-ignore lint/suspicious/noArrayIndexKey: see above
            <PlaneRow key={index} section={section} shown={shown} />
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}

type RowProps = { section: FlowMeasuredSection; shown: readonly Column[] }

function PlaneRow({ section: { name, numbers, refusal }, shown }: RowProps) {
  const { t } = useTranslation('flow-run')
  if (numbers === null)
    return (
      <tr>
        <th scope="row">{name}</th>
        <td colSpan={shown.length} className={styles.sentence}>
          {refusal === null ? t('planes.measuring') : t(`section.${refusal}`)}
        </td>
      </tr>
    )
  return (
    <tr>
      <th scope="row">{name}</th>
      {shown.map((column) => (
        <td key={column} className={styles.number}>
          {column === 'across' ? <Across light={numbers.voxelsAcross} /> : textOf(column, numbers)}
        </td>
      ))}
    </tr>
  )
}

function textOf(column: Exclude<Column, 'across'>, numbers: FlowSectionNumbers): string {
  switch (column) {
    case 'net':
    case 'forward':
    case 'backward':
      return scaledText(numbers[column], 1e6)
    case 'regurgitant':
      return numbers.regurgitantFraction === null ? '–' : formatPercent(numbers.regurgitantFraction, 1)
    case 'rate':
    case 'meanRate':
      return scaledText(meanOf(numbers.rate), 1e6)
    case 'meanVelocity':
      return scaledText(meanOf(numbers.mean), 100)
    case 'area':
      return scaledText(meanOf(numbers.area), 1e6)
    case 'peak':
      return scaledText(most(numbers.peak), 100)
  }
}

const scaledText = (value: number | null, factor: number): string =>
  numberText(value === null ? null : factor * value)

/** How many voxels, whether they suffice, and what is lost with so many. */
function Across({ light: { value, colour, numbers } }: { light: FlowLight }) {
  const { t } = useTranslation('flow-run')
  const bias = numbers.flowBias ?? null
  return (
    <>
      {numberText(value)} <LightMark colour={colour} />
      {bias !== null && (
        <small className={styles.bias}>{t('planes.bias', { bias: formatPercent(Math.abs(bias), 1) })}</small>
      )}
    </>
  )
}
