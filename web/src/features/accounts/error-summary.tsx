import { useTranslation } from 'react-i18next'
import styles from './error-summary.module.css'

type ErrorSummaryProps = {
  problems: readonly { name: string; label: string; text: string }[]
  onChoose: (name: string) => void
}

/** In a long form: what is still wrong, each line leading to its field. */
export function ErrorSummary({ problems, onChoose }: ErrorSummaryProps) {
  const { t } = useTranslation('member')
  if (problems.length === 0) return null
  return (
    <section className={styles.summary} aria-labelledby="error-summary">
      <h2 id="error-summary">{t('summary', { count: problems.length })}</h2>
      <ul>
        {problems.map(({ name, label, text }) => (
          <li key={name}>
            <button type="button" onClick={() => onChoose(name)}>
              {label}
            </button>
            <span>{text}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
