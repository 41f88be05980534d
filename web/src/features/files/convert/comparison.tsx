import type { ConversionCheck } from '@neuroloom/contract/conversions'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/format.ts'
import styles from './convert.module.css'

type Translate = ReturnType<typeof useTranslation<['conversions', 'viewing']>>['t']

/** In one line: that all was kept, or what was not. */
export function summaryOf(checks: readonly ConversionCheck[], t: Translate): string {
  const changed = checks.filter(({ state }) => state === 'changed').map(({ what }) => t(`compare.${what}`))
  return changed.length === 0 ? t('compare.allKept') : t('compare.changes', { what: changed.join(', ') })
}

/** What an image was before and is after, property by property; what changed stands out and says why. */
export function Comparison({ name, checks }: { name: string; checks: readonly ConversionCheck[] }) {
  const { t } = useTranslation(['conversions', 'viewing'])
  return (
    <table className={styles.compare} aria-label={t('compare.of', { name })}>
      <thead>
        <tr>
          {(['what', 'before', 'after', 'result'] as const).map((key) => (
            <th key={key}>{t(`compare.${key}`)}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {checks.map((check) => (
          <tr key={check.what} data-state={check.state}>
            <th scope="row">{t(`compare.${check.what}`)}</th>
            <td data-label={t('compare.before')}>{formatSide(check, 'before')}</td>
            <td data-label={t('compare.after')}>{formatSide(check, 'after')}</td>
            <td>
              <strong>{t(`compare.${check.state}`)}</strong>
              <Why check={check} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function formatSide(check: ConversionCheck, side: 'before' | 'after'): string {
  const text = check[side] || '—'
  return check.what === 'values' ? text.replaceAll(NUMBER, formatMatch) : text
}

const NUMBER = /-?\d+(?:\.(\d+))?(?:e[+-]?\d+)?/g

/** Writes a number as the rest of the page does; powers of ten stay as the server wrote them. */
const formatMatch = (text: string, decimals = ''): string =>
  text.includes('e') ? text : formatNumber(Number(text), decimals.length)

function Why({ check: { state, why } }: { check: ConversionCheck }) {
  const { t } = useTranslation(['conversions', 'viewing'])
  if (state === 'unknown') return <small>{t('compare.unknownHint')}</small>
  // Which names there are the server decides; an unknown one says nothing rather than its key.
  return why && <small>{t(`viewing:why.${why.name}`, { ...why.params, defaultValue: '' })}</small>
}
