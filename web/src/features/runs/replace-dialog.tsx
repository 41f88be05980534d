import { Button, Modal } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDate } from '../../lib/format.ts'
import { formatMetric } from '../../lib/metric.ts'
import { useAction, useCall } from '../../lib/query.ts'
import { toast } from '../../lib/toast.ts'
import { UsedLimit } from '../../ui/limits/used-limit.tsx'
import { useNetworkOf } from './network-of.ts'
import { headlineOf } from './results/metrics.ts'
import styles from './run-list.module.css'
import { nameOf } from './run-list.tsx'

type Props = {
  open: boolean
  networkName: (network: string) => string
  onRemoved: () => void
  onClose: () => void
}

/** The membership level keeps no further trained network: which one may go? */
export function ReplaceDialog({ open, networkName, onRemoved, onClose }: Props) {
  const { t } = useTranslation(['runs', 'common'])
  const networkOf = useNetworkOf(networkName)
  const [chosen, setChosen] = useState<string | null>(null)
  const query = useCall('runs/list', { projectId: null }, { enabled: open })
  const trained = query.data?.runs.filter(
    ({ kind, artifacts }) => kind === 'train' && artifacts.some((artifact) => artifact.kind === 'weights'),
  )
  const remove = useAction('runs/remove', {
    refresh: ['runs/list', 'runs/recycled', 'projects/detail', 'plans/shared'],
    onDone: ({ recycleDays }) => {
      // No undo: its place is taken at once.
      toast.success(t('list.removed', { count: recycleDays }))
      onRemoved()
    },
  })
  return (
    <Modal
      open={open}
      title={t('replace.title')}
      onCancel={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('common:cancel')}</Button>
          <Button
            danger
            disabled={chosen === null}
            loading={remove.isPending}
            onClick={() => chosen && remove.mutate({ id: chosen })}
          >
            {t('replace.choose')}
          </Button>
        </>
      }
    >
      <p>{trained?.length === 0 ? t('replace.none') : t('replace.text')}</p>
      <UsedLimit name="trainedModels" />
      {trained?.map((run) => {
        const headline = headlineOf(run)
        return (
          <label key={run.id} className={styles.choice}>
            <input
              type="radio"
              name="replaced-run"
              checked={run.id === chosen}
              onChange={() => setChosen(run.id)}
            />
            <span className={styles.what}>
              <b>{nameOf(run, t)}</b>
              <span className={styles.about}>
                {[networkOf(run), run.datasetName, formatDate(run.createdAt, 'relative')].join(' · ')}
              </span>
            </span>
            {headline ? <b>{formatMetric(headline.name, headline.value)}</b> : null}
          </label>
        )
      })}
    </Modal>
  )
}
