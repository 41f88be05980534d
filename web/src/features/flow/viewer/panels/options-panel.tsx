import {
  type FlowOptionName,
  type FlowPresetName,
  type FlowProblem,
  type FlowSettings,
  flowOptions,
  flowPresets,
  startSettings,
} from '@neuroloom/contract/flow/options'
import { type FitOrder, vortexBias, vorticityNoise } from '@neuroloom/contract/flow/window-weights'
import { Button, Checkbox, Radio, Select, Slider, Switch } from 'antd'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber, formatRate } from '../../../../lib/format.ts'
import { NumberField } from '../../../../ui/number-field.tsx'
import { problemsOf, sightIn } from '../choice.ts'
import styles from '../viewer.module.css'
import { centimetres } from '../words.ts'
import type { PanelProps } from './layers-panel.tsx'

// The table's own keys.
const names = Object.keys(flowOptions) as FlowOptionName[]
const presets = Object.keys(flowPresets) as FlowPresetName[]

/** The nine options, each seen at once in the picture; what is refused says why and leaves the picture as it was. */
export function OptionsPanel({ facts, choice, change }: PanelProps) {
  const { t } = useTranslation(['flow-view', 'flow-options'])
  const { settings, kinds } = choice
  const problems = problemsOf(facts.head, choice)
  const set = (patch: Partial<FlowSettings>) => change({ settings: { ...settings, ...patch } })
  const preset = presets.find((name) => JSON.stringify(flowPresets[name]) === JSON.stringify(settings))
  return (
    <div className={styles.stack}>
      <div className={styles.row}>
        <Select<FlowPresetName>
          aria-label={t('options.preset')}
          placeholder={t('options.own')}
          value={preset ?? null}
          onChange={(name) => change({ settings: flowPresets[name] })}
          options={presets.map((value) => ({ value, label: t(`flow-options:preset.${value}`) }))}
        />
        <Button onClick={() => change({ settings: startSettings, order: 1 })}>{t('options.reset')}</Button>
      </div>
      {names.map((name) => {
        const { needs } = flowOptions[name]
        const isOff = needs !== null && !kinds.includes(needs)
        return (
          <div key={name} className={styles.option} data-off={isOff}>
            <OptionField name={name} settings={settings} isOff={isOff} set={set} />
            {isOff && needs && (
              <p className={styles.soft}>{t('options.needs', { kind: t(`flow-options:kind.${needs}`) })}</p>
            )}
            <Refusals problems={problems.filter(({ field }) => field === name)} />
            {name === 'vorticityCalculationWindow' && !isOff && (
              <>
                <Order order={choice.order} onChange={(order) => change({ order })} />
                <Refusals problems={problems.filter(({ field }) => field === 'fitOrder')} />
                <WindowFacts facts={facts} choice={choice} />
              </>
            )}
          </div>
        )
      })}
    </div>
  )
}

function Refusals({ problems }: { problems: FlowProblem[] }) {
  const { t } = useTranslation('flow-options')
  return problems.map(({ reason, params }) => (
    <p key={reason} className={styles.refused} role="alert">
      {t(`refused.${reason}`, params)}
    </p>
  ))
}

type FieldProps = {
  name: FlowOptionName
  settings: FlowSettings
  isOff: boolean
  set: (patch: Partial<FlowSettings>) => void
}

function OptionField({ name, settings, isOff, set }: FieldProps) {
  const { t } = useTranslation(['flow-view', 'flow-options'])
  const id = useId()
  const option = flowOptions[name]
  const value = settings[name]
  const label = t(`flow-options:name.${name}`)
  const head = (
    <label htmlFor={id} title={t(`flow-options:about.${name}`)}>
      {label}
    </label>
  )
  if (option.kind === 'flag')
    return (
      <div className={styles.toggle}>
        {head}
        <Switch
          id={id}
          size="small"
          checked={value === true}
          disabled={isOff}
          onChange={(is) => set({ [name]: is })}
        />
      </div>
    )
  if (option.kind === 'colour') return <ColourField id={id} head={head} value={String(value)} set={set} />
  const { min, max, step, unit, offered } = option
  const shown = typeof value === 'number' ? value : null
  return (
    <>
      <div className={styles.toggle}>
        {head}
        <span className={styles.number}>
          {/* Also what is out of range or even: it is refused in words, not made fit in silence. */}
          <NumberField
            id={id}
            size="small"
            value={shown}
            disabled={isOff}
            changeOnWheel={false}
            onChange={(next) => next !== null && set({ [name]: next })}
          />
          <span className={styles.unit}>{unit && t(`unit.${unit}`)}</span>
        </span>
      </div>
      {offered.length > 0 ? (
        <Radio.Group
          size="small"
          optionType="button"
          aria-label={label}
          value={shown}
          disabled={isOff}
          onChange={({ target }) => set({ [name]: target.value })}
          options={offered.map((one) => ({ value: one, label: formatNumber(one) }))}
        />
      ) : (
        <Slider
          min={min}
          max={max}
          step={step}
          value={shown ?? min}
          disabled={isOff}
          ariaLabelForHandle={label}
          onChange={(next) => set({ [name]: next })}
        />
      )}
    </>
  )
}

type ColourProps = { id: string; head: React.ReactNode; value: string; set: FieldProps['set'] }

function ColourField({ id, head, value, set }: ColourProps) {
  const { t } = useTranslation('flow-options')
  const isBySpeed = value === 'speed'
  return (
    <div className={styles.toggle}>
      {head}
      <span className={styles.number}>
        <input
          id={id}
          type="color"
          className={styles.colour}
          disabled={isBySpeed}
          value={isBySpeed ? startSettings.arrowColor.toLowerCase() : value}
          onChange={({ target }) => set({ arrowColor: target.value.toUpperCase() })}
        />
        <Checkbox
          checked={isBySpeed}
          onChange={({ target }) => set({ arrowColor: target.checked ? 'speed' : startSettings.arrowColor })}
        >
          {t('bySpeed')}
        </Checkbox>
      </span>
    </div>
  )
}

function Order({ order, onChange }: { order: FitOrder; onChange: (order: FitOrder) => void }) {
  const { t } = useTranslation('flow-options')
  const orders: FitOrder[] = [1, 3]
  return (
    <div className={styles.field}>
      <span>{t('fitOrder.name')}</span>
      <Radio.Group
        className={styles.radios ?? ''}
        aria-label={t('fitOrder.name')}
        value={order}
        onChange={({ target }) => onChange(target.value)}
        options={orders.map((value) => ({ value, label: t(`fitOrder.${value}`) }))}
      />
    </div>
  )
}

/** Metres: about as large as the whirl behind an aortic valve. */
const CORE_RADIUS = 0.01
/** m/s, where the study does not tell its own. */
const SAMPLE_NOISE = 0.01

/** Noise and bias that come with the window that is drawn. */
function WindowFacts({ facts, choice }: Omit<PanelProps, 'change'>) {
  const { t } = useTranslation(['flow-view', 'flow-options'])
  const { settings, order } = choice.drawn
  const { spacing } = sightIn(facts.head, choice).shown
  const window = settings.vorticityCalculationWindow
  const fit = { window, order, spacing }
  const noise = facts.noise ?? SAMPLE_NOISE
  const side = spacing.map((length) => formatNumber(1000 * length * window, 1))
  const sigma = centimetres(noise, 2)
  return (
    <div className={styles.soft}>
      <p>
        {t('flow-options:window', {
          window,
          mm: side[0] === side[1] ? side[0] : side.join(' × '),
          noise: formatRate(vorticityNoise(fit, noise)),
          radius: formatNumber(1000 * CORE_RADIUS),
          bias: formatRate(Math.abs(100 * vortexBias(fit, CORE_RADIUS))),
        })}
      </p>
      <p>
        {facts.noise === null ? t('options.noiseTaken', { sigma }) : t('options.noiseMeasured', { sigma })}
      </p>
    </div>
  )
}
