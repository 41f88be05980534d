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
}

/** Area code and number as one field. */
export function PhoneField({ id, region, phone, problem, onChange, onBlur }: PhoneFieldProps) {
  const { t } = useTranslation('accounts')
  return (
    <Field id={id} label={t('login.phone')} problem={problem}>
      <div className={styles.box}>
        <AreaSelect
          region={region}
          onChange={(chosen) => onChange({ region: chosen })}
          onBlur={() => region === '' && onBlur()}
        />
        <input
          {...describedBy(id, problem)}
          className={styles.input}
          type="tel"
          autoComplete="tel-national"
          placeholder={t('login.phoneHint')}
          value={phone}
          onChange={({ target }) => onChange({ phone: target.value })}
          onBlur={onBlur}
        />
      </div>
    </Field>
  )
}
