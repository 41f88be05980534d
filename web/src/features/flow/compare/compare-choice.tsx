import type { Run } from '@neuroloom/contract/runs'
import { Button, Select } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDate } from '../../../lib/format.ts'
import styles from './compare.module.css'

type Props = {
  /** Done flow runs of one project, newest first; two at least. */
  runs: readonly Run[]
  onCompare: (ids: string[]) => void
}

/** Which two runs stand beside each other: at first the newest two. */
export function CompareChoice({ runs, onCompare }: Props) {
  const { t } = useTranslation(['flow-project', 'runs'])
  const id = useId()
  const [newest, before] = runs
  const [first, setFirst] = useState(before?.id ?? '')
  const [second, setSecond] = useState(newest?.id ?? '')
  const options = runs.map((run) => ({
    value: run.id,
    label: [
      t('runs:list.flow', { number: run.number }),
      run.datasetName,
      formatDate(run.createdAt, 'minute'),
    ].join(' · '),
  }))
  const isSame = first === second
  return (
    <div className={styles.stack}>
      <div className={styles.choice}>
        <label htmlFor={`${id}-first`}>{t('compare.first')}</label>
        <Select id={`${id}-first`} value={first} options={options} onChange={setFirst} />
        <label htmlFor={`${id}-second`}>{t('compare.second')}</label>
        <Select id={`${id}-second`} value={second} options={options} onChange={setSecond} />
      </div>
      {isSame && (
        <p className={styles.refused} role="alert">
          {t('compare.same')}
        </p>
      )}
      <div>
        <Button type="primary" disabled={isSame} onClick={() => onCompare([first, second])}>
          {t('compare.go')}
        </Button>
      </div>
    </div>
  )
}
