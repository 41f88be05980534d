import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { currentTag } from '../../../lib/i18n.ts'
import { areasIn, callingCodeOf } from './calling-codes.ts'
import styles from './field.module.css'

type AreaSelectProps = {
  region: string
  /** Which number it belongs to, where a form has several. */
  of?: string
  onChange: (region: string) => void
  onBlur: () => void
}

/** The calling code in short; the native list behind it has every region by name. */
export function AreaSelect({ region, of, onChange, onBlur }: AreaSelectProps) {
  const { t } = useTranslation('accounts')
  const code = callingCodeOf(region)
  const tag = currentTag()
  const options = useMemo(
    () =>
      areasIn(tag).map((area) => (
        <option key={area.region} value={area.region}>
          {area.name} +{area.code}
        </option>
      )),
    [tag],
  )
  return (
    <span className={styles.area}>
      <span aria-hidden="true">{code === '' ? '+ …' : `+${code}`}</span>
      <svg width="10" height="6" viewBox="0 0 10 6" fill="none" aria-hidden="true">
        <path d="m1 1 4 4 4-4" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round" />
      </svg>
      <select
        aria-label={of === undefined ? t('login.area') : t('login.areaOf', { of })}
        value={region}
        onChange={(event) => onChange(event.target.value)}
        onBlur={onBlur}
      >
        <option value="">{t('login.areaNone')}</option>
        {options}
      </select>
    </span>
  )
}
