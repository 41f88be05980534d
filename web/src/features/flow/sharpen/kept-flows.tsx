import { type FlowTrained, flowInterpolations, flowMethods } from '@neuroloom/contract/flow/sharpen'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/format.ts'
import { ScrollRegion } from '../../../ui/scroll-region.tsx'
import run from '../run/run.module.css'
import { numberText } from '../run/words.ts'
import { Best } from './scores-table.tsx'
import styles from './sharpen.module.css'

/** Each flow that was kept aside, with the error of the velocity in cm/s. */
export function KeptFlows({ flows }: Pick<FlowTrained, 'flows'>) {
  const { t } = useTranslation('flow-sharpen')
  const won = flows.filter(({ rmse }) =>
    flowInterpolations.every((plain) => rmse.network < rmse[plain]),
  ).length
  return (
    <div className={styles.stack}>
      <p className={styles.soft}>{t('kept.lead', { won, all: flows.length })}</p>
      <ScrollRegion name={t('kept.title')} className={run.scroll}>
        <table className={run.table}>
          <thead>
            <tr>
              <th scope="col">{t('kept.flow')}</th>
              <th scope="col" className={run.number}>
                {t('kept.snr')}
              </th>
              {flowMethods.map((method) => (
                <th key={method} scope="col" className={run.number}>
                  {t('kept.error', { method: t(`method.${method}`) })}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {flows.map(({ kind, snr, rmse }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: flows of one kind differ by their place alone
              <tr key={index}>
                <th scope="row">{t(`flow.${kind}`, { defaultValue: kind })}</th>
                <td className={run.number}>{formatNumber(snr, 1)}</td>
                {flowMethods.map((method) => (
                  <td key={method} className={run.number}>
                    <Best isBest={flowMethods.every((other) => rmse[method] <= rmse[other])}>
                      {numberText(100 * rmse[method])}
                    </Best>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </div>
  )
}
