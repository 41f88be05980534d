import { membership as limits } from '@neuroloom/contract/limits'
import { parseYuan } from '@neuroloom/contract/membership/money'
import { Input } from 'antd'
import { useTranslation } from 'react-i18next'
import { formatFen } from '../../lib/format-money.ts'
import styles from './office.module.css'

type YuanFieldProps = {
  id: string
  label: string
  text: string
  /** Below, while what is typed is an amount. */
  help?: string
  /** What else is wrong with the amount. */
  problem?: string | null
  onText: (text: string) => void
}

/** An amount in yuan as text: what cannot be read to the fen is told, and never rounded. */
export function YuanField({ id, label, text, help, problem = null, onText }: YuanFieldProps) {
  const { t } = useTranslation('office')
  const isWrong = text.trim() !== '' && parseYuan(text) === null
  const told = isWrong ? t('yuan.wrong', { most: formatFen(limits.mostFen) }) : problem
  return (
    <>
      <label htmlFor={id}>{label}</label>
      <Input
        id={id}
        inputMode="decimal"
        autoComplete="off"
        maxLength={30}
        suffix={t('yuan.unit')}
        value={text}
        status={told === null ? '' : 'error'}
        aria-invalid={told !== null}
        aria-describedby={`${id}-help`}
        onChange={({ target }) => onText(target.value)}
      />
      <p id={`${id}-help`} className={told === null ? styles.help : styles.problem}>
        {told ?? help ?? t('yuan.help')}
      </p>
    </>
  )
}
