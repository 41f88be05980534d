import { SafetyCertificateOutlined } from '@ant-design/icons'
import { mainMetric } from '@neuroloom/contract/metric'
import type { Listing } from '@neuroloom/contract/shop/listing'
import { Alert, Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDate, formatNumber } from '../../lib/format.ts'
import { formatMetric, formatRange, formatScore } from '../../lib/metric.ts'
import { Panel } from '../../ui/page.tsx'
import styles from './shop.module.css'
import { SignatureDialog } from './signature-dialog.tsx'

/** Below so many test images a score says little. */
const FEW = 100

/** What the platform measured again, on how much, and how to check that it says so. */
export function ScorePart({ listing }: { listing: Listing }) {
  const { t } = useTranslation(['shop', 'runs'])
  const [isOpen, setOpen] = useState(false)
  const { verified, task } = listing
  if (verified === null) return null
  const { score, metrics, perClass, items, interval, part, testedAt } = verified
  const nameOf = (metric: string) => t(`runs:metric.${metric}.name`, { defaultValue: metric })
  const ofClasses = Object.keys(perClass[0]?.values ?? {})
  return (
    <Panel
      title={t('score.title')}
      extra={
        <span className={styles.verified}>
          <SafetyCertificateOutlined aria-hidden />
          {t('verified')}
        </span>
      }
    >
      <div className={styles.stack}>
        <p className={styles.score}>
          <span>{t(`score.${task}`)}</span>
          <strong>{formatScore(task, score)}</strong>
          {interval && (
            <span className={styles.help}>
              {t('score.interval', { range: formatRange(mainMetric[task], [interval.low, interval.high]) })}
            </span>
          )}
        </p>
        <p>{t(`score.${part}`, { count: items, items: formatNumber(items) })}</p>
        {items < FEW && <Alert type="info" showIcon title={t('score.few', { count: items })} />}
        <p className={styles.help}>{t('score.means')}</p>
        <table className={styles.figures} aria-label={t('score.all')}>
          <tbody>
            {Object.entries(metrics).map(([metric, value]) => (
              <tr key={metric}>
                <th scope="row">{nameOf(metric)}</th>
                <td>{formatMetric(metric, value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {perClass.length > 0 && (
          <div className={styles.classes}>
            <table className={styles.figures} aria-label={t('score.perClass')}>
              <thead>
                <tr>
                  <th>{t('score.class')}</th>
                  {ofClasses.map((metric) => (
                    <th key={metric}>{nameOf(metric)}</th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {perClass.map(({ class: name, values }) => (
                  <tr key={name}>
                    <th scope="row">{name}</th>
                    {ofClasses.map((metric) => (
                      <td key={metric}>{formatMetric(metric, values[metric])}</td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
        <p className={styles.line}>
          <span className={styles.help}>{t('score.at', { when: formatDate(testedAt, 'minute') })}</span>
          <Button type="link" onClick={() => setOpen(true)}>
            {t('signature.check')}
          </Button>
        </p>
      </div>
      {isOpen && <SignatureDialog id={listing.id} onClose={() => setOpen(false)} />}
    </Panel>
  )
}
