import { type FlowKind, flowKinds, isFaint } from '@neuroloom/contract/flow/options'
import { Alert, Radio, Slider, Switch } from 'antd'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { type Choice, withKind } from '../choice.ts'
import type { Colours } from '../draw/figure.ts'
import type { Facts } from '../numbers/asks.ts'
import { derivedNames } from '../numbers/run-files.ts'
import styles from '../viewer.module.css'

export type PanelProps = { facts: Facts; choice: Choice; change: (patch: Partial<Choice>) => void }

const colours: Colours[] = ['none', 'speed', 'through', 'vortex', 'energy', 'q', 'lambda2']
const derived: readonly Colours[] = derivedNames

/** What is seen: kinds of result first, of which one is needed. */
export function LayersPanel({ facts, choice, change }: PanelProps) {
  const { t } = useTranslation(['flow-view', 'flow-options'])
  const isShown = (one: Colours) =>
    (one !== 'vortex' || choice.kinds.includes('vortex')) && (facts.hasDerived || !derived.includes(one))
  return (
    <div className={styles.stack}>
      <fieldset className={styles.group}>
        <legend>{t('layers.kinds')}</legend>
        {flowKinds.map((kind: FlowKind) => (
          <Toggle
            key={kind}
            label={t(`flow-options:kind.${kind}`)}
            hint={t(`flow-options:kindAbout.${kind}`)}
            isOn={choice.kinds.includes(kind)}
            onChange={(isOn) => change(withKind(choice, kind, isOn))}
          />
        ))}
        {choice.kinds.length === 0 && (
          <Alert type="warning" showIcon title={t('flow-options:refused.kind_missing')} />
        )}
      </fieldset>
      <fieldset className={styles.group}>
        <legend>{t('layers.colours')}</legend>
        <Radio.Group
          className={styles.radios ?? ''}
          value={choice.colours}
          onChange={({ target }) => change({ colours: target.value })}
          options={colours.filter(isShown).map((value) => ({
            value,
            label: t(`colours.${value}`),
            disabled: choice.isBefore && derived.includes(value),
          }))}
        />
        <p className={styles.soft}>{t(`coloursAbout.${choice.colours}`)}</p>
        {choice.isBefore && facts.hasDerived && <p className={styles.soft}>{t('coloursAbout.after')}</p>}
      </fieldset>
      <fieldset className={styles.group}>
        <legend>{t('layers.more')}</legend>
        <Toggle
          label={t('layers.arrows')}
          hint={t('layers.arrowsAbout')}
          isOn={choice.hasArrows}
          onChange={(hasArrows) => change({ hasArrows })}
        />
        {choice.hasArrows && isFaint(choice.drawn.settings.arrowColor) && (
          <p className={styles.warn}>{t('flow-options:faint')}</p>
        )}
        <Toggle
          label={t('layers.magnitude')}
          hint={facts.hasMagnitude ? null : t('layers.noMagnitude')}
          isOn={choice.hasMagnitude}
          isDisabled={!facts.hasMagnitude}
          onChange={(hasMagnitude) => change({ hasMagnitude })}
        />
        {choice.hasMagnitude && <Brightness choice={choice} change={change} />}
      </fieldset>
    </div>
  )
}

type ToggleProps = {
  label: string
  hint: string | null
  isOn: boolean
  isDisabled?: boolean
  onChange: (isOn: boolean) => void
}

export function Toggle({ label, hint, isOn, isDisabled = false, onChange }: ToggleProps) {
  const id = useId()
  return (
    <div className={styles.toggle}>
      <label htmlFor={id}>{label}</label>
      <Switch id={id} size="small" checked={isOn} disabled={isDisabled} onChange={onChange} />
      {hint && <p className={styles.soft}>{hint}</p>}
    </div>
  )
}

function Brightness({ choice, change }: Omit<PanelProps, 'facts'>) {
  const { t } = useTranslation('flow-view')
  const [low, high] = choice.window
  return (
    <div className={styles.field}>
      <span>{t('layers.brightness')}</span>
      <Slider
        range
        min={0}
        max={200}
        value={[Math.round(100 * low), Math.round(100 * high)]}
        ariaLabelForHandle={[t('layers.black'), t('layers.white')]}
        tooltip={{ formatter: (value) => `${value} %` }}
        onChange={([from = 0, to = 100]) => change({ window: [from / 100, Math.max(to, from + 1) / 100] })}
      />
    </div>
  )
}
