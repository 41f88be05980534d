import { Input } from 'antd'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { firstField } from '../../../ui/first-field.ts'
import styles from './dialogs.module.css'

type Props = {
  name: string
  isWrong: boolean
  note: string
  onChange: (name: string) => void
}

/** The name that a dialog asks for. */
export function NameInput({ name, isWrong, note, onChange }: Props) {
  const { t } = useTranslation('dripe')
  const id = useId()
  return (
    <>
      <label htmlFor={id}>{t('name.label')}</label>
      <Input
        id={id}
        ref={firstField}
        value={name}
        maxLength={40}
        autoComplete="off"
        spellCheck={false}
        aria-describedby={`${id}-note`}
        status={isWrong ? 'error' : ''}
        onChange={(event) => onChange(typedName(event.target.value))}
      />
      <p id={`${id}-note`} className={styles.note} data-wrong={isWrong}>
        {note}
      </p>
    </>
  )
}

/** As one means it: names have small letters, of one form, and no blanks around. */
export const typedName = (text: string): string => text.trim().normalize('NFKC').toLowerCase()
