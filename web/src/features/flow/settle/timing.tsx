import { type FlowAnswer, type FlowLook, flowGatings } from '@neuroloom/contract/flow/study'
import { Select } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/format.ts'
import { NumberField } from '../../../ui/number-field.tsx'
import { Panel } from '../../../ui/page.tsx'
import { rateOf, spacingText, stepOf, toMs } from '../words.ts'
import styles from './settle.module.css'

type Props = { look: FlowLook; answer: FlowAnswer; onAnswer: (answer: FlowAnswer) => void }

/** ms: a beat of a mouse, and the longest that the contract takes. */
const beat = { min: 50, max: 10_000 }

/** When frames were taken, and how large a voxel is. */
export function Timing({ look, answer, onAnswer }: Props) {
  const { t } = useTranslation('flow')
  const id = useId()
  const period = answer.period ?? look.period
  const isFromFiles = answer.period === undefined && look.period !== null
  const spacing = answer.spacing ?? look.spacing
  const setPeriod = (seconds: number | null) => {
    const { period: _, ...rest } = answer
    onAnswer(seconds === null || !(seconds > 0) ? rest : { ...rest, period: seconds })
  }
  // One moment has no beat to be counted over.
  if (framesOf(look) === 1)
    return (
      <Panel title={t('timing.place')}>
        {isSpacingOpen(look) && <SpacingFields look={look} answer={answer} onAnswer={onAnswer} />}
        <dl className={styles.facts}>
          <Spacing spacing={spacing} />
        </dl>
      </Panel>
    )
  return (
    <Panel title={t('timing.title')}>
      <div className={styles.fields}>
        <div className={styles.field}>
          <label htmlFor={`${id}-period`}>{t('timing.period')}</label>
          <NumberField
            id={`${id}-period`}
            aria-describedby={`${id}-hint`}
            {...beat}
            precision={0}
            value={period === null ? null : toMs(period)}
            onChange={(value) => setPeriod(value === null ? null : value / 1000)}
          />
        </div>
        <div className={styles.field}>
          <label htmlFor={`${id}-rate`}>{t('timing.rate')}</label>
          <NumberField
            id={`${id}-rate`}
            aria-describedby={`${id}-hint`}
            min={60_000 / beat.max}
            max={60_000 / beat.min}
            precision={0}
            value={period === null ? null : rateOf(period)}
            onChange={(value) => setPeriod(value === null ? null : 60 / value)}
          />
        </div>
        <div className={styles.field}>
          <label htmlFor={`${id}-gating`}>{t('timing.gating')}</label>
          <Select
            id={`${id}-gating`}
            value={answer.gating ?? look.gating}
            options={flowGatings.map((value) => ({ value, label: t(`gating.${value}`) }))}
            popupMatchSelectWidth={false}
            onChange={(gating) => onAnswer({ ...answer, gating })}
          />
        </div>
      </div>
      <p id={`${id}-hint`} className={styles.hint}>
        {isFromFiles && t('timing.periodHint')}
        {period === null && t('timing.periodMissing')}
      </p>
      {isSpacingOpen(look) && <SpacingFields look={look} answer={answer} onAnswer={onAnswer} />}
      <dl className={styles.facts}>
        <div>
          <dt>{t('timing.step')}</dt>
          <dd>
            <Step look={look} period={period} />
          </dd>
        </div>
        <Spacing spacing={spacing} />
      </dl>
    </Panel>
  )
}

function Spacing({ spacing }: Pick<FlowLook, 'spacing'>) {
  const { t } = useTranslation('flow')
  return (
    <div>
      <dt>{t('timing.spacing')}</dt>
      <dd>
        {spacing ? t('timing.spacingValue', { spacing: spacingText(spacing) }) : t('timing.spacingMissing')}
      </dd>
    </div>
  )
}

const framesOf = ({ series }: FlowLook): number => Math.max(...series.map(({ frames }) => frames))

/** Where the files do not tell how large voxels are, or in what unit, a person may. */
const isSpacingOpen = ({ spacing, problems }: FlowLook): boolean =>
  spacing === null || problems.some(({ reason }) => reason === 'spacing_unit_unknown')

function SpacingFields({ look, answer, onAnswer }: Props) {
  const { t } = useTranslation('flow')
  const id = useId()
  const [typed, setTyped] = useState<readonly (number | null)[]>(
    answer.spacing ?? look.spacing ?? [null, null, null],
  )
  const change = (axis: number, value: number | null) => {
    const next = typed.map((side, at) => (at === axis ? value : side))
    setTyped(next)
    const { spacing: _, ...rest } = answer
    const [x, y, z] = next
    onAnswer(x && y && z ? { ...rest, spacing: [x, y, z] } : rest)
  }
  return (
    <div className={styles.fields}>
      {typed.map((side, axis) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the three axes stay where they are
        <div key={axis} className={styles.field}>
          <label htmlFor={`${id}-${axis}`}>{t('timing.spacingOf', { axis: axis + 1 })}</label>
          <NumberField
            id={`${id}-${axis}`}
            min={0.01}
            max={100}
            status={side === null ? 'warning' : ''}
            value={side}
            onChange={(value) => change(axis, value)}
          />
        </div>
      ))}
    </div>
  )
}

/** As the files tell it; else frames share the beat. */
function Step({ look, period }: { look: FlowLook; period: number | null }) {
  const { t } = useTranslation('flow')
  const told = look.times && stepOf(look.times)
  if (told) return t('timing.stepValue', { value: formatNumber(told * 1000, 1) })
  const frames = framesOf(look)
  if (period === null || frames < 2) return t('timing.stepMissing')
  return t('timing.stepShared', { value: formatNumber((period / frames) * 1000, 1) })
}
