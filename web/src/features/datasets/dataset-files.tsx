import type { Dataset } from '@neuroloom/contract/datasets'
import { Button, Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatNumber } from '../../lib/format.ts'
import { ProblemsDrawer } from './dataset-drawers.tsx'
import styles from './dataset-files.module.css'
import { DatasetItems } from './dataset-items.tsx'

type DatasetFilesProps = {
  datasets: readonly Dataset[]
  dataset: Dataset
  onChoose: (id: string) => void
}

/** The pictures of one data set of several, what was set aside, and the way to its folder. */
export function DatasetFiles({ datasets, dataset, onChoose }: DatasetFilesProps) {
  const { t } = useTranslation('datasets')
  const [showsProblems, setShowsProblems] = useState(false)
  const { id, folderId, owner, problemCount } = dataset
  return (
    <>
      <div className={styles.tools}>
        <Select
          className={styles.select ?? ''}
          aria-label={t('chooseSet')}
          value={id}
          onChange={onChoose}
          options={datasets.map((one) => ({
            value: one.id,
            label: `${one.name} · ${t(`use.${one.use}`)}`,
          }))}
        />
        {problemCount > 0 && (
          <Button onClick={() => setShowsProblems(true)}>
            {t('setAside', { count: problemCount, shown: formatNumber(problemCount) })}
          </Button>
        )}
        {owner === '' ? (
          <Link to={`/cloudFile?id=${encodeURIComponent(folderId)}`}>{t('openFolder')}</Link>
        ) : (
          <span className={styles.owner}>{t('broughtBy', { name: owner })}</span>
        )}
      </div>
      <DatasetItems key={id} datasetId={id} />
      <ProblemsDrawer dataset={dataset} open={showsProblems} onClose={() => setShowsProblems(false)} />
    </>
  )
}
