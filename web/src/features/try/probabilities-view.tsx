import { useTranslation } from 'react-i18next'
import { percent } from './numbers.ts'
import styles from './try.module.css'

type Props = { probabilities: readonly number[]; classes: readonly string[]; kind: 'classes' | 'labels' }

/** From here on a label counts as found, as in the tests. */
const SURE = 0.5

/** Surest first, each with its bar. */
export function ProbabilitiesView({ probabilities, classes, kind }: Props) {
  const { t, i18n } = useTranslation('try')
  const rows = probabilities
    .map((sure, index) => ({ sure, name: classes[index] ?? String(index) }))
    .sort((one, other) => other.sure - one.sure)
  const found = rows.filter(({ sure }) => sure >= SURE)
  const [first] = rows
  const headline =
    kind === 'classes' ? (first?.name ?? '') : found.map(({ name }) => name).join(', ') || t('noLabel')
  return (
    <div className={styles.words}>
      <p className={styles.headline}>{headline}</p>
      <ul className={styles.bars} aria-label={t('probabilities')}>
        {rows.map(({ name, sure }, place) => (
          <li key={name} className={isStrong(place, sure) ? styles.strong : undefined}>
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

  function isStrong(place: number, sure: number): boolean {
    return kind === 'classes' ? place === 0 : sure >= SURE
  }
}
