import { toolbox as limits } from '@neuroloom/contract/limits'
import { openFieldsOf, parameterOf, type StepField } from '@neuroloom/contract/recipes/fields'
import type { Step } from '@neuroloom/contract/recipes/recipe'
import type { OpenSetting } from '@neuroloom/contract/toolbox/own-tools'
import { Checkbox, Input } from 'antd'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { NumberField } from '../../../ui/number-field.tsx'
import styles from './own.module.css'

type Props = {
  steps: readonly Step[]
  open: readonly OpenSetting[]
  onChange: (open: OpenSetting[]) => void
}

/** Which settings of a recipe the user of the tool may change, how each is called, and between what. */
export function OpenSettings({ steps, open, onChange }: Props) {
  const { t } = useTranslation(['own-tools', 'recipes'])
  const isOf = (step: number, key: string) => (one: OpenSetting) => one.step === step && one.key === key
  const put = (setting: OpenSetting) =>
    onChange(open.map((one) => (isOf(setting.step, setting.key)(one) ? setting : one)))
  const shown = steps.flatMap((step, place) => {
    const fields = openFieldsOf(step)
    return fields.length === 0 ? [] : [{ step, place, fields }]
  })
  if (shown.length === 0) return <p className={styles.soft}>{t('make.nothingOpen')}</p>
  return (
    <ul className={styles.steps}>
      {shown.map(({ step, place, fields }) => (
        <li key={place}>
          <p className={styles.step}>{t(`recipes:step.${step.do}.name`)}</p>
          {fields.map((field) => (
            <OneSetting
              key={field.key}
              {...{ step, field }}
              setting={open.find(isOf(place, field.key))}
              onOpen={(isOpen) =>
                onChange(
                  isOpen
                    ? sorted([...open, { step: place, key: field.key, label: '', min: null, max: null }])
                    : open.filter((one) => !isOf(place, field.key)(one)),
                )
              }
              onChange={put}
            />
          ))}
        </li>
      ))}
    </ul>
  )
}

/** In the order of the steps, as the form will show them. */
const sorted = (open: OpenSetting[]): OpenSetting[] => open.sort((one, other) => one.step - other.step)

type OneProps = {
  step: Step
  field: StepField
  /** There where it is open. */
  setting: OpenSetting | undefined
  onOpen: (isOpen: boolean) => void
  onChange: (setting: OpenSetting) => void
}

function OneSetting({ step, field, setting, onOpen, onChange }: OneProps) {
  const { t } = useTranslation(['own-tools', 'recipes'])
  const id = useId()
  const value = parameterOf(step, field.key)
  const usual = t(`recipes:field.${field.key}`)
  const said = field.kind === 'choice' ? t(`recipes:choice.${step.do}.${value}`) : value
  const unit = field.kind === 'number' && field.unit ? t(`recipes:unit.${field.unit}`) : undefined
  return (
    <div className={styles.setting} data-open={setting !== undefined || undefined}>
      <Checkbox checked={setting !== undefined} onChange={({ target }) => onOpen(target.checked)}>
        {usual}: <strong>{said}</strong> {unit}
      </Checkbox>
      {setting && (
        <div className={styles.open}>
          <div className={styles.label}>
            <label htmlFor={`${id}-label`}>{t('make.label')}</label>
            <Input
              id={`${id}-label`}
              value={setting.label}
              placeholder={usual}
              maxLength={limits.labelLength}
              onChange={({ target }) => onChange({ ...setting, label: target.value })}
            />
          </div>
          {field.kind === 'number' && typeof value === 'number' && (
            <>
              <div>
                <label htmlFor={`${id}-min`}>{t('make.min')}</label>
                <NumberField
                  id={`${id}-min`}
                  value={setting.min}
                  placeholder={String(field.min)}
                  min={field.min}
                  max={value}
                  onChange={(min) => onChange({ ...setting, min })}
                />
              </div>
              <div>
                <label htmlFor={`${id}-max`}>{t('make.max')}</label>
                <NumberField
                  id={`${id}-max`}
                  value={setting.max}
                  placeholder={String(field.max)}
                  min={value}
                  max={field.max}
                  onChange={(max) => onChange({ ...setting, max })}
                />
              </div>
            </>
          )}
        </div>
      )}
    </div>
  )
}
