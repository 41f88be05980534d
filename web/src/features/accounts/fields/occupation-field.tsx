import { occupations } from '@neuroloom/contract/accounts/member-options'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './field.module.css'
import { SelectField } from './select-field.tsx'

const OTHER = 'other'

type OccupationFieldProps = {
  id: string
  label: string
  /** One of the list, or any other in the member's own words. */
  value: string
  problem: string | null
  onChange: (value: string) => void
  onBlur: () => void
}

/** An occupation from the list; for another one there is a line of text. */
export function OccupationField({ id, label, value, problem, onChange, onBlur }: OccupationFieldProps) {
  const { t } = useTranslation('member')
  const isListed = occupations.some((one) => one === value)
  // Kept, because "nurse" may be the beginning of another occupation being typed.
  const [isOther, setIsOther] = useState((value !== '' && !isListed) || value === OTHER)
  return (
    <div className={styles.field}>
      <SelectField
        id={id}
        label={label}
        value={isOther ? OTHER : value}
        problem={problem}
        options={occupations.map((one) => ({ value: one, label: t(`appellation.${one}`) }))}
        onChange={(chosen) => {
          setIsOther(chosen === OTHER)
          onChange(chosen)
        }}
        onBlur={onBlur}
      />
      {isOther && (
        <div className={styles.box}>
          <input
            className={styles.input}
            aria-label={t('field.otherOccupation')}
            placeholder={t('field.otherOccupation')}
            maxLength={200}
            value={value === OTHER ? '' : value}
            onChange={({ target }) => onChange(target.value === '' ? OTHER : target.value)}
            onBlur={onBlur}
          />
        </div>
      )}
    </div>
  )
}
