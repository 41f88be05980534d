import {
  type FlowOptionName,
  type FlowPresetName,
  type FlowSettings,
  flowOptions,
  flowPresets,
  startSettings,
} from '@neuroloom/contract/flow/options'
import type { FitOrder } from '@neuroloom/contract/flow/window-weights'
import { Button, Checkbox, Radio, Select, Switch } from 'antd'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/format.ts'
import { NumberField } from '../../../ui/number-field.tsx'
import styles from './compute.module.css'
import type { Draft, Problem } from './draft.ts'
import { Refusals } from './refusals.tsx'

type Value = Pick<Draft, 'kinds' | 'settings' | 'fitOrder'>
type Props = {
  value: Value
  problems: readonly Problem[]
  onChange: (patch: Partial<Pick<Draft, 'settings' | 'fitOrder'>>) => void
}

// The tables' own keys.
const names = Object.keys(flowOptions) as FlowOptionName[]
const presets = Object.keys(flowPresets) as FlowPresetName[]

/** The nine options with what each means; presets, and the way back to the start. */
export function OptionsPart({ value, problems, onChange }: Props) {
  const { t } = useTranslation(['flow-project', 'flow-options'])
  const { settings, kinds, fitOrder } = value
  const preset = presets.find((name) => JSON.stringify(flowPresets[name]) === JSON.stringify(settings))
  return (
    <>
      <div className={styles.tools}>
        <Select<FlowPresetName>
          className={styles.preset ?? ''}
          aria-label={t('form.preset')}
          placeholder={t('form.ownSettings')}
          value={preset ?? null}
          onChange={(name) => onChange({ settings: flowPresets[name] })}
          options={presets.map((name) => ({ value: name, label: t(`flow-options:preset.${name}`) }))}
        />
        <Button onClick={() => onChange({ settings: startSettings, fitOrder: 1 })}>
          {t('form.startValues')}
        </Button>
      </div>
      <div className={styles.options}>
        {names.map((name) => {
          const { needs } = flowOptions[name]
          const isOff = needs !== null && !kinds.includes(needs)
          return (
            <Option
              key={name}
              name={name}
              settings={settings}
              isOff={isOff}
              problems={problems}
              set={(patch) => onChange({ settings: { ...settings, ...patch } })}
            />
          )
        })}
        <Order
          value={fitOrder}
          isOff={!kinds.includes('vortex')}
          problems={problems}
          onChange={(order) => onChange({ fitOrder: order })}
        />
      </div>
    </>
  )
}

type OptionProps = {
  name: FlowOptionName
  settings: FlowSettings
  isOff: boolean
  problems: readonly Problem[]
  set: (patch: Partial<FlowSettings>) => void
}

function Option({ name, settings, isOff, problems, set }: OptionProps) {
  const { t } = useTranslation(['flow-project', 'flow-options'])
  const id = useId()
  const { needs } = flowOptions[name]
  return (
    <div className={styles.field} data-off={isOff}>
      <label htmlFor={id}>{t(`flow-options:name.${name}`)}</label>
      <Control id={id} name={name} settings={settings} isOff={isOff} set={set} />
      <small id={`${id}-about`}>{t(`flow-options:about.${name}`)}</small>
      {isOff && needs && <small>{t('form.needs', { kind: t(`flow-options:kind.${needs}`) })}</small>}
      <Refusals problems={problems} field={name} />
    </div>
  )
}

type ControlProps = Omit<OptionProps, 'problems'> & { id: string }

function Control({ id, name, settings, isOff, set }: ControlProps) {
  const { t } = useTranslation('flow-options')
  const option = flowOptions[name]
  const value = settings[name]
  const about = `${id}-about`
  if (option.kind === 'flag')
    return (
      <Switch
        id={id}
        aria-describedby={about}
        checked={value === true}
        disabled={isOff}
        onChange={(is) => set({ [name]: is })}
      />
    )
  if (option.kind === 'colour') return <Colour id={id} value={String(value)} set={set} />
  const { min, max, unit } = option
  return (
    <span className={styles.number}>
      {/* Also what is out of range or even: it is refused in words, not made fit in silence. */}
      <NumberField
        id={id}
        aria-describedby={about}
        value={typeof value === 'number' && Number.isFinite(value) ? value : null}
        disabled={isOff}
        changeOnWheel={false}
        onChange={(next) => set({ [name]: next ?? Number.NaN })}
      />
      <small>
        {unit && `${t(`unit.${unit}`)}, `}
        {t('range', { min: formatNumber(min), max: formatNumber(max) })}
      </small>
    </span>
  )
}

function Colour({ id, value, set }: Pick<ControlProps, 'id' | 'set'> & { value: string }) {
  const { t } = useTranslation('flow-options')
  const isBySpeed = value === 'speed'
  return (
    <span className={styles.number}>
      <input
        id={id}
        aria-describedby={`${id}-about`}
        type="color"
        className={styles.colour}
        disabled={isBySpeed}
        value={isBySpeed ? startSettings.arrowColor.toLowerCase() : value.toLowerCase()}
        onChange={({ target }) => set({ arrowColor: target.value.toUpperCase() })}
      />
      <Checkbox
        checked={isBySpeed}
        onChange={({ target }) => set({ arrowColor: target.checked ? 'speed' : startSettings.arrowColor })}
      >
        {t('bySpeed')}
      </Checkbox>
    </span>
  )
}

const orders: FitOrder[] = [1, 3]

type OrderProps = {
  value: FitOrder
  isOff: boolean
  problems: readonly Problem[]
  onChange: (value: FitOrder) => void
}

function Order({ value, isOff, problems, onChange }: OrderProps) {
  const { t } = useTranslation('flow-options')
  return (
    <div className={styles.field} data-off={isOff}>
      <span>{t('fitOrder.name')}</span>
      <Radio.Group
        className={styles.orders ?? ''}
        aria-label={t('fitOrder.name')}
        value={value}
        disabled={isOff}
        onChange={({ target }) => onChange(target.value)}
        options={orders.map((order) => ({ value: order, label: t(`fitOrder.${order}`) }))}
      />
      <Refusals problems={problems} field="fitOrder" />
    </div>
  )
}
