import { useTranslation } from 'react-i18next'
import { PasswordField } from './password-field.tsx'

type Name = 'password' | 'confirm'
type NewPasswordFieldsProps = {
  prefix: string
  /** Of an account that has had none so far. */
  isFirst?: boolean
  values: Record<Name, string>
  problemOf: (field: Name) => string | null
  onChange: (changes: Partial<Record<Name, string>>) => void
  onLeave: (field: Name) => void
}

/** A password that is chosen, twice. */
export function NewPasswordFields({
  prefix,
  isFirst = false,
  values,
  problemOf,
  onChange,
  onLeave,
}: NewPasswordFieldsProps) {
  const { t } = useTranslation('accounts')
  const field = (name: Name) => (
    <PasswordField
      id={`${prefix}-${name}`}
      label={t(`${isFirst ? 'firstPassword' : 'newPassword'}.${name}`)}
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
