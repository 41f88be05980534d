import { useTranslation } from 'react-i18next'
import styles from './field.module.css'
import { describedBy, Field } from './field.tsx'

type Option = { value: string; label: string; isDisabled?: boolean }

type SelectFieldProps = {
  id: string
  label: string
  options: readonly Option[]
  value: string
  problem: string | null
  onChange: (value: string) => void
  onBlur: () => void
  isOptional?: boolean
}

/** One of a short list. */
export function SelectField({ id, label, problem, isOptional = false, ...rest }: SelectFieldProps) {
  return (
    <Field id={id} label={label} problem={problem} isOptional={isOptional}>
      <Select id={id} problem={problem} {...rest} />
    </Field>
  )
}

type SelectProps = Omit<SelectFieldProps, 'label' | 'isOptional'> & { name?: string }

/** The box alone; `name` where no label points at it. */
export function Select({ id, name, options, value, problem, onChange, onBlur }: SelectProps) {
  const { t } = useTranslation('accounts')
  return (
    <div className={`${styles.box} ${styles.choice}`}>
      <select
        {...describedBy(id, problem)}
        {...(name === undefined ? {} : { 'aria-label': name })}
        className={styles.input}
        value={value}
        data-empty={value === ''}
        onChange={({ target }) => onChange(target.value)}
        onBlur={onBlur}
      >
        <option value="">{t('field.choose')}</option>
        {options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.isDisabled}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  )
}
