import type { Dataset } from '@neuroloom/contract/datasets'
import type { LearnedRun } from '@neuroloom/contract/runs'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { useAction, useCall } from '../../lib/query.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Loading } from '../../ui/loading.tsx'
import { canTrainOn } from './journey.ts'
import styles from './run.module.css'
import { DatasetChoice } from './train/dataset-choice.tsx'

/** A test of a trained run on exactly one data set; of the training data set only the held-out part is used. */
export function TestPanel({ run }: { run: LearnedRun }) {
  const { t } = useTranslation('runs')
  const navigate = useNavigate()
  const [chosen, setChosen] = useState<string | null>(null)
  const query = useCall('datasets/list', { projectId: run.projectId }, { quiet: true })
  const test = useAction('runs/test', {
    refresh: ['runs/list', 'projects/detail'],
    onDone: ({ id }) => void navigate(`/run?id=${id}`),
  })
  if (query.isError) return <ErrorState error={query.error} retry={() => void query.refetch()} />
  if (!query.data) return <Loading count={1} />

  // What is kept for testing first, then the training data set, because its held-out part is what most people want.
  const rank = ({ id, use }: Dataset) => (use === 'test' ? 2 : Number(id === run.datasetId))
  const datasets = query.data.datasets.filter(canTrainOn).sort((a, b) => rank(b) - rank(a))
  const dataset = datasets.find(({ id }) => id === chosen) ?? datasets[0]
  if (!dataset) return <p className={styles.lead}>{t('test.noData')}</p>
  return (
    <div className={styles.test}>
      <p className={styles.lead}>{t('test.lead')}</p>
      <DatasetChoice
        label={t('test.dataset')}
        datasets={datasets}
        chosen={dataset.id}
        onChoose={setChosen}
        note={({ id }) => (id === run.datasetId ? t('test.heldOut') : t('test.whole'))}
      />
      <div className={styles.testStart}>
        <Button
          type="primary"
          size="large"
          block
          loading={test.isPending}
          onClick={() => test.mutate({ id: run.id, datasets: [dataset.id] })}
        >
          {t('test.start')}
        </Button>
      </div>
    </div>
  )
}
