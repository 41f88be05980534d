import { comparison } from '@neuroloom/contract/limits'
import type { Run } from '@neuroloom/contract/runs'
import { Button, Checkbox } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDate } from '../../../lib/format.ts'
import { formatMetric } from '../../../lib/metric.ts'
import { useNetworkOf } from '../network-of.ts'
import { headlineOf } from '../results/metrics.ts'
import styles from './compare.module.css'

type Props = {
  /** Finished tests of one project, newest first. */
  tests: readonly Run[]
  networkName: (network: string) => string
  onCompare: (ids: string[]) => void
}

/** Which tests stand beside each other; the one that was ticked first is what the others are compared with. */
export function CompareChoice({ tests, networkName, onCompare }: Props) {
  const { t } = useTranslation('compare')
  const networkOf = useNetworkOf(networkName)
  const [chosen, setChosen] = useState<string[]>([])
  const toggle = (id: string, isChosen: boolean) =>
    setChosen((before) => (isChosen ? [...before, id] : before.filter((one) => one !== id)))
  const isFull = chosen.length >= comparison.tests.max
  return (
    <>
      <p className={styles.lead}>{t('chooseLead')}</p>
      <ul className={styles.choices}>
        {tests.map((test) => {
          const headline = headlineOf(test)
          const isChosen = chosen.includes(test.id)
          return (
            <li key={test.id}>
              <Checkbox
                checked={isChosen}
                disabled={isFull && !isChosen}
                onChange={({ target }) => toggle(test.id, target.checked)}
              >
                <b>{t('test', { number: test.number })}</b>
                {headline ? ` · ${formatMetric(headline.name, headline.value)}` : ''}
                <span className={styles.about}>
                  {[networkOf(test), test.datasetName, formatDate(test.createdAt, 'minute')].join(' · ')}
                </span>
              </Checkbox>
            </li>
          )
        })}
      </ul>
      <Button
        type="primary"
        disabled={chosen.length < comparison.tests.min}
        onClick={() => onCompare(chosen)}
      >
        {t('compare', { count: chosen.length })}
      </Button>
    </>
  )
}
