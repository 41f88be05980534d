import { type FlowScores, type FlowTrained, flowMethods } from '@neuroloom/contract/flow/sharpen'
import { useTranslation } from 'react-i18next'
import { formatNumber, formatPercent } from '../../../lib/format.ts'
import { ScrollRegion } from '../../../ui/scroll-region.tsx'
import run from '../run/run.module.css'
import { numberText } from '../run/words.ts'

type Column = { name: keyof FlowScores; text: (value: number) => string }

/** Errors of the network beside those of both interpolations, smaller is better. */
const columns: readonly Column[] = [
  { name: 'rmse', text: (value) => numberText(100 * value) },
  { name: 'vnrmse', text: (value) => formatPercent(value) },
  { name: 'speedError', text: (value) => formatPercent(value) },
  { name: 'angle', text: (value) => `${formatNumber(value, 1)}°` },
]

export function ScoresTable({ scores }: Pick<FlowTrained, 'scores'>) {
  const { t } = useTranslation('flow-sharpen')
  return (
    <ScrollRegion name={t('scores.title')} className={run.scroll}>
      <table className={run.table}>
        <caption className="nl-hidden">{t('scores.title')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('scores.method')}</th>
            {columns.map(({ name }) => (
              <th key={name} scope="col" className={run.number}>
                {t(`scores.${name}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {flowMethods.map((method) => (
            <tr key={method}>
              <th scope="row">{t(`method.${method}`)}</th>
              {columns.map(({ name, text }) => (
                <td key={name} className={run.number}>
                  <Best isBest={flowMethods.every((other) => scores[method][name] <= scores[other][name])}>
                    {text(scores[method][name])}
                  </Best>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}

/** The smallest of its column. */
export const Best = ({ isBest, children }: { isBest: boolean; children: string }) =>
  isBest ? <strong>{children}</strong> : children
