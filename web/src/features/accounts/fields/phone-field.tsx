import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { AreaSelect } from './area-select.tsx'
import styles from './field.module.css'
import { describedBy, Field } from './field.tsx'

type PhoneFieldProps = {
  id: string
  region: string
  phone: string
  problem: string | null
  onChange: (changes: { region?: string; phone?: string }) => void
  onBlur: () => void
  /** Where it is not the phone that one signs in with. */
  label?: string
  isOptional?: boolean
  /** Below the field, for as long as nothing is wrong. */
  note?: string
}

/** Area code and number as one field. */
export function PhoneField({ id, region, phone, problem, onChange, onBlur, ...rest }: PhoneFieldProps) {
  const { t } = useTranslation('accounts')
  const { label, isOptional = false, note } = rest
  const noteId = useId()
  return (
    <Field id={id} label={label ?? t('login.phone')} problem={problem} isOptional={isOptional}>
      <div className={styles.box}>
        <AreaSelect
          region={region}
          {...(label === undefined ? {} : { of: label })}
          onChange={(chosen) => onChange({ region: chosen })}
          onBlur={() => region === '' && onBlur()}
        />
        <input
          {...(note === undefined ? {} : { 'aria-describedby': noteId })}
          {...describedBy(id, problem)}
          className={styles.input}
          type="tel"
          autoComplete={label === undefined ? 'tel-national' : 'off'}
          placeholder={t('login.phoneHint')}
          value={phone}
          onChange={({ target }) => onChange({ phone: target.value })}
          onBlur={onBlur}
        />
      </div>
      {note !== undefined && problem === null && (
        <p className={styles.note} id={noteId}>
          {note}
        </p>
      )}
    </Field>
  )
}
