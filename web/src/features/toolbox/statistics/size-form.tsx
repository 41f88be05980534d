import { Select } from 'antd'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { NumberField } from '../../../ui/number-field.tsx'
import { boundsOf, type Figures, fieldsOf, type Study, startOf, studies } from './analyses/sample-size.ts'
import styles from './statistics.module.css'

type SizeFormProps = {
  study: Study
  figures: Figures
  onChange: (study: Study, figures: Figures) => void
}

/** What is to be found out, and what one expects. */
export function SizeForm({ study, figures, onChange }: SizeFormProps) {
  const { t } = useTranslation('statistics')
  const id = useId()
  return (
    <div className={styles.form}>
      <div className={styles.field}>
        <label htmlFor={id}>{t('study.label')}</label>
        <Select<Study>
          id={id}
          popupMatchSelectWidth={false}
          value={study}
          // The names of an object of ours.
          options={(Object.keys(studies) as Study[]).map((value) => ({ value, label: t(`study.${value}`) }))}
          onChange={(value) => onChange(value, startOf(value))}
        />
      </div>
      <div className={styles.figures}>
        {fieldsOf(study).map((field) => {
          const { from, to, isShare } = boundsOf(field)
          const scale = isShare ? 100 : 1
          const value = figures[field]
          return (
            <div key={field} className={styles.field}>
              <label htmlFor={`${id}-${field}`}>{t(`field.${field}`)}</label>
              <NumberField
                id={`${id}-${field}`}
                min={from * scale}
                max={to * scale}
                {...(isShare ? { suffix: '%' } : {})}
                value={value === undefined ? null : Number((value * scale).toFixed(6))}
                onChange={(typed) => {
                  const { [field]: _, ...rest } = figures
                  onChange(study, typed === null ? rest : { ...rest, [field]: typed / scale })
                }}
              />
            </div>
          )
        })}
      </div>
    </div>
  )
}
