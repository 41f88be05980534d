import type { ToolField, ToolSettings } from '@neuroloom/contract/toolbox/own-tools'
import { Checkbox, Select } from 'antd'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { NumberField } from '../../../ui/number-field.tsx'
import styles from './own.module.css'

type Props = { fields: readonly ToolField[]; values: ToolSettings; onChange: (values: ToolSettings) => void }

/** What the maker of a tool left to its user, in the maker's words. */
export function ToolForm({ fields, values, onChange }: Props) {
  if (fields.length === 0) return null
  return (
    <div className={styles.form}>
      {fields.map((field) => (
        <Setting
          key={field.name}
          field={field}
          value={values[field.name] ?? field.value}
          onChange={(value) => onChange({ ...values, [field.name]: value })}
        />
      ))}
    </div>
  )
}

type Value = ToolSettings[string]
type SettingProps = { field: ToolField; value: Value; onChange: (value: Value) => void }

function Setting({ field, value, onChange }: SettingProps) {
  const { t } = useTranslation(['own-tools', 'recipes'])
  const id = useId()
  if (field.kind === 'prepared')
    return (
      <Checkbox checked={value === true} onChange={({ target }) => onChange(target.checked)}>
        {field.label || t('prepared.label')}
      </Checkbox>
    )
  const usual = t(`recipes:field.${field.key}`)
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{field.label || usual}</label>
      {field.kind === 'choice' ? (
        <Select
          id={id}
          value={String(value)}
          options={field.values.map((one) => ({ value: one, label: t(`recipes:choice.${field.do}.${one}`) }))}
          onChange={onChange}
        />
      ) : (
        <>
          <NumberField
            id={id}
            className={styles.number ?? ''}
            value={Number(value)}
            min={field.min}
            max={field.max}
            step={field.by}
            suffix={field.unit ? t(`recipes:unit.${field.unit}`) : undefined}
            aria-describedby={`${id}-range`}
            onChange={(next) => next !== null && onChange(next)}
          />
          <span id={`${id}-range`} className={styles.soft}>
            {t('range', { min: field.min, max: field.max })}
          </span>
        </>
      )}
    </div>
  )
}
