import { Typography } from 'antd'
import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './settings.module.css'
import type { DraftField, FieldError } from './settings-draft.ts'

type Ids = { id: string; 'aria-describedby': string; 'aria-invalid'?: true }

type Props = {
  field: DraftField | 'numClass'
  error?: FieldError | undefined
  /** Shown beside the label when the member has changed the suggested value. */
  changed?: boolean
  /** Warns in place of the usual help. */
  note?: string | undefined
  /** Said in place of the usual help: what the chosen value means. */
  help?: string
  children: (ids: Ids) => ReactNode
}

/** One setting: label, control, a line of help or what is wrong with the value. */
export function SettingField({ field, error, changed, note, help, children }: Props) {
  const { t } = useTranslation('runs')
  const id = useId()
  const helpId = `${id}-help`
  const ids: Ids = { id, 'aria-describedby': helpId, ...(error ? { 'aria-invalid': true as const } : {}) }
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={styles.label}>
        {t(`setting.${field}.label`)}
        {changed ? <span className={styles.changed}>{t('settings.changed')}</span> : null}
      </label>
      {children(ids)}
      <Typography.Text
        id={helpId}
        type={typeOf(error, note)}
        className={styles.help ?? ''}
        {...(error ? { role: 'alert' } : {})}
      >
        {error
          ? t(`settings.${error.key}`, { min: error.min, max: error.max })
          : (note ?? help ?? t(`setting.${field}.help`))}
      </Typography.Text>
    </div>
  )
}

const typeOf = (error: unknown, note: unknown) => {
  if (error) return 'danger'
  return note ? 'warning' : 'secondary'
}
