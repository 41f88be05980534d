import { opinions as limits } from '@neuroloom/contract/limits'
import type { Opinion } from '@neuroloom/contract/social/opinions'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/format.ts'
import styles from './opinions.module.css'

/** How far the readers agree, with what it rests on. */
export function Agreement({ opinion, nameOf }: { opinion: Opinion; nameOf: (id: string) => string }) {
  const { t } = useTranslation('social-opinions')
  if (!opinion.results) return null
  const { readers, studies, same, kappa, method, why, dice } = opinion.results.agreement
  const shown = (value: number): string => formatNumber(value, 2)
  return (
    <section className={styles.agreement} aria-label={t('agreement.title')}>
      <h2>{t('agreement.title')}</h2>
      {readers.length > 1 && <p>{t('agreement.same', { same, count: studies, readers: readers.length })}</p>}
      {kappa && (
        <p>
          <strong>{t(`agreement.${method}`, { value: shown(kappa.value) })}</strong>{' '}
          {t('agreement.range', {
            low: shown(kappa.low),
            high: shown(kappa.high),
            studies,
            readers: readers.length,
          })}
        </p>
      )}
      {why && <p>{t(`agreement.why.${why}`, { least: limits.leastStudies })}</p>}
      {opinion.hasOutline && dice.length > 0 && (
        <ul>
          {dice.map(({ one, other, mean, studies: compared, apart }) => (
            <li key={`${one} ${other}`}>
              {t('agreement.pair', { one: nameOf(one), other: nameOf(other) })}:{' '}
              {mean === null
                ? t('agreement.noDice')
                : t('agreement.dice', { value: shown(mean), count: compared })}
              {apart > 0 && ` ${t('agreement.apart', { count: apart })}`}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
