import type { ReaderScore } from '@neuroloom/contract/recipes/algebra'
import { useTranslation } from 'react-i18next'
import { formatNumber, formatPercent } from '../../../lib/format.ts'
import { ScrollRegion } from '../../../ui/scroll-region.tsx'
import styles from './algebra.module.css'

type ReadersProps = {
  scores: readonly ReaderScore[]
  /** Of the folders. */
  names: readonly string[]
  isOfSamples?: boolean
}

/** How good STAPLE takes each reader for, and of how many pixels that is said. */
export function Readers({ scores, names, isOfSamples = false }: ReadersProps) {
  const { t } = useTranslation('algebra')
  const title = t(isOfSamples ? 'readers.ofSamples' : 'readers.title')
  return (
    <div className={styles.readers}>
      <h3>{title}</h3>
      <ScrollRegion name={title} className={styles.wide}>
        <table className={styles.table}>
          <thead>
            <tr>
              {(['reader', 'class', 'sensitivity', 'specificity', 'masks'] as const).map((key) => (
                <th key={key} scope="col">
                  {t(`readers.${key}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {scores.map(({ number, value, sensitivity, specificity, masks, positive, negative }) => (
              <tr key={`${value} ${number}`}>
                <th scope="row">{names[number] ?? t('readers.number', { number: number + 1 })}</th>
                <td>{value}</td>
                <td>{share(sensitivity, positive)}</td>
                <td>{share(specificity, negative)}</td>
                <td>{formatNumber(masks)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      <p>{t('readers.text')}</p>
    </div>
  )
}

const share = (part: number | null, of: number): string =>
  part === null ? '–' : `${formatPercent(part)} (n = ${formatNumber(Math.round(of))})`
