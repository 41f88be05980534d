import { market as limits } from '@neuroloom/contract/limits'
import { parseYuan } from '@neuroloom/contract/membership/money'
import { Input } from 'antd'
import { useTranslation } from 'react-i18next'
import { formatFen } from '../../lib/format-money.ts'
import styles from './market.module.css'

type Props = {
  id: string
  label: string
  text: string
  /** Below, while what is typed is a price. */
  help?: string
  onText: (text: string) => void
}

/** In fen; null where it is no price of the market. */
export function priceOf(text: string): number | null {
  const fen = parseYuan(text)
  return fen !== null && fen >= limits.leastFen && fen <= limits.mostFen ? fen : null
}

/** A price in yuan as text: what cannot be read to the fen is told, and never rounded. */
export function MoneyField({ id, label, text, help = '', onText }: Props) {
  const { t } = useTranslation('market')
  const isWrong = text.trim() !== '' && priceOf(text) === null
  const range = { least: formatFen(limits.leastFen), most: formatFen(limits.mostFen) }
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <Input
        id={id}
        inputMode="decimal"
        autoComplete="off"
        maxLength={30}
        suffix={t('money.unit')}
        value={text}
        status={isWrong ? 'error' : ''}
        aria-invalid={isWrong}
        aria-describedby={`${id}-help`}
        onChange={({ target }) => onText(target.value)}
      />
      <p id={`${id}-help`} className={isWrong ? styles.problem : styles.help}>
        {isWrong ? t('money.wrong', range) : help}
      </p>
    </div>
  )
}
