import { Select } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DatasetCard } from '../../features/datasets/dataset-card.tsx'
import { NoDatasets } from '../../features/toolbox/no-datasets.tsx'
import styles from '../../features/toolbox/toolbox.module.css'
import { useInputs } from '../../features/toolbox/use-inputs.ts'
import { useCall } from '../../lib/query.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Loading } from '../../ui/loading.tsx'

/** All that is known of one of the own data sets, near-duplicates included. */
export function DatasetTool() {
  const { t } = useTranslation('toolbox')
  const id = useId()
  const { dataset: before } = useInputs()
  const [chosen, setChosen] = useState(before)
  const { data, error, refetch } = useCall('datasets/list', { projectId: null }, { quiet: true })
  if (error && !data) return <ErrorState error={error} retry={() => void refetch()} />
  if (!data) return <Loading shape="cards" />
  const [first] = data.datasets
  if (!first) return <NoDatasets />
  const shown = data.datasets.find((one) => one.id === chosen) ?? first
  return (
    <div className={styles.steps}>
      <div className={styles.field}>
        <label htmlFor={id}>{t('dataset.which')}</label>
        <Select
          id={id}
          value={shown.id}
          options={data.datasets.map(({ id: value, name }) => ({ value, label: name }))}
          onChange={setChosen}
        />
      </div>
      <div className={styles.wide}>
        <h2 className={styles.known}>{t('dataset.known')}</h2>
        <DatasetCard key={shown.id} dataset={shown} />
      </div>
    </div>
  )
}
