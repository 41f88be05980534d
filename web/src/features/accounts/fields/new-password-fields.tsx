import { useTranslation } from 'react-i18next'
import { PasswordField } from './password-field.tsx'

type Name = 'password' | 'confirm'
type NewPasswordFieldsProps = {
  prefix: string
  values: Record<Name, string>
  problemOf: (field: Name) => string | null
  onChange: (changes: Partial<Record<Name, string>>) => void
  onLeave: (field: Name) => void
}

/** A new password, twice. */
export function NewPasswordFields({ prefix, values, problemOf, onChange, onLeave }: NewPasswordFieldsProps) {
  const { t } = useTranslation('accounts')
  const field = (name: Name) => (
    <PasswordField
      id={`${prefix}-${name}`}
      label={t(`newPassword.${name}`)}
      hint={t(`newPassword.${name}Hint`)}
      kind="new"
      value={values[name]}
      problem={problemOf(name)}
      onChange={(value) => onChange({ [name]: value })}
      onBlur={() => onLeave(name)}
    />
  )
  return (
    <>
      {field('password')}
      {field('confirm')}
    </>
  )
}
