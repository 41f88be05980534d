import { useTranslation } from 'react-i18next'
import { percent } from './numbers.ts'
import styles from './try.module.css'

type Props = {
  probabilities: readonly number[]
  /** Those that are found, as in the tests. */
  named: readonly number[]
  classes: readonly string[]
  kind: 'classes' | 'labels'
}

/** Surest first, each with its bar. */
export function ProbabilitiesView({ probabilities, named, classes, kind }: Props) {
  const { t, i18n } = useTranslation('try')
  const rows = probabilities
    .map((sure, index) => ({ sure, name: classes[index] ?? String(index), isNamed: named.includes(index) }))
    .sort((one, other) => other.sure - one.sure)
  const found = rows.filter(({ isNamed }) => isNamed)
  const headline = found.map(({ name }) => name).join(', ') || t('noLabel')
  return (
    <div className={styles.words}>
      <p className={styles.headline}>{headline}</p>
      <ul className={styles.bars} aria-label={t('probabilities')}>
        {rows.map(({ name, sure, isNamed }) => (
          <li key={name} className={isNamed ? styles.strong : undefined}>
            <span>{name}</span>
            <span className={styles.figure}>{percent(sure, i18n.language)}</span>
            <span className={styles.bar} aria-hidden="true">
              <span style={{ width: `${100 * sure}%` }} />
            </span>
          </li>
        ))}
      </ul>
      <p className={styles.hint}>{t(`hint.${kind}`)}</p>
    </div>
  )
}
