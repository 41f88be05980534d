import type { Dataset } from '@neuroloom/contract/datasets'
import type { Task } from '@neuroloom/contract/task'
import { Modal, Radio } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDate, formatNumber } from '../../lib/format.ts'
import { useAction, useCall } from '../../lib/query.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Loading } from '../../ui/loading.tsx'
import styles from './existing-dataset-picker.module.css'

type ExistingDatasetPickerProps = { open: boolean; projectId: string; task: Task; onClose: () => void }

/** Uses a data set of another own project in this one as well. */
export function ExistingDatasetPicker({ open, projectId, task, onClose }: ExistingDatasetPickerProps) {
  const { t } = useTranslation(['datasets', 'common'])
  const [chosen, setChosen] = useState<string | null>(null)
  const add = useAction('datasets/add', {
    refresh: ['datasets/list', 'projects/detail', 'projects/list', 'plans/shared'],
    onDone: onClose,
  })
  return (
    <Modal
      open={open}
      centered
      width={560}
      destroyOnHidden
      title={t('pick.title')}
      okText={t('pick.use')}
      okButtonProps={{ disabled: chosen === null, loading: add.isPending }}
      cancelText={t('common:cancel')}
      onOk={() => chosen !== null && add.mutate({ id: chosen, projectId })}
      onCancel={onClose}
      afterClose={() => setChosen(null)}
    >
      {open && <Choices projectId={projectId} task={task} chosen={chosen} onChoose={setChosen} />}
    </Modal>
  )
}

type ChoicesProps = Pick<ExistingDatasetPickerProps, 'projectId' | 'task'> & {
  chosen: string | null
  onChoose: (id: string) => void
}

function Choices({ projectId, task, chosen, onChoose }: ChoicesProps) {
  const { t } = useTranslation('datasets')
  const own = useCall('datasets/list', { projectId: null }, { quiet: true })
  const here = useCall('datasets/list', { projectId }, { quiet: true })
  const error = own.error ?? here.error
  if (error) return <ErrorState error={error} retry={() => void own.refetch()} />
  if (!own.data || !here.data) return <Loading shape="rows" count={3} />
  const used = new Set(here.data.datasets.map(({ id }) => id))
  const further = own.data.datasets.filter(({ id, state }) => state === 'ready' && !used.has(id))
  if (further.length === 0) return <EmptyState title={t('pick.none')} text={t('pick.noneText')} />
  return (
    <Radio.Group
      value={chosen}
      onChange={(event) => onChoose(event.target.value)}
      aria-label={t('pick.title')}
    >
      <div className={styles.choices}>
        {further.map((dataset) => (
          <Choice key={dataset.id} dataset={dataset} fits={dataset.task === task} />
        ))}
      </div>
    </Radio.Group>
  )
}

function Choice({ dataset, fits }: { dataset: Dataset; fits: boolean }) {
  const { t } = useTranslation('datasets')
  const items = dataset.facts?.items ?? 0
  return (
    <Radio value={dataset.id} disabled={!fits}>
      <strong>{dataset.name}</strong>
      <span>
        {fits
          ? `${t('partItems.image', { count: items, shown: formatNumber(items) })} · ${formatDate(dataset.createdAt, 'day')}`
          : t('pick.otherTask')}
      </span>
    </Radio>
  )
}
