import type { Run } from '@neuroloom/contract/runs'
import { Select } from 'antd'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { useNetworkName } from '../../features/networks/network-name.ts'
import styles from '../../features/toolbox/toolbox.module.css'
import { useCall } from '../../lib/query.ts'
import { ErrorState } from '../../ui/error-state.tsx'

type TrainingsProps = {
  projectId: string
  value: string | null
  onChange: (id: string, name: string) => void
}

/** One training of a project, of those that left weights. */
export function Trainings({ projectId, value, onChange }: TrainingsProps) {
  const { t } = useTranslation('toolbox')
  const id = useId()
  const networkName = useNetworkName()
  const { data, isError, error, refetch } = useCall('runs/list', { projectId }, { quiet: true })
  if (isError) return <ErrorState error={error} retry={() => void refetch()} />
  const nameOf = ({ number, network, ownNetwork }: Run): string =>
    t('predictor.training', { number, network: ownNetwork?.name ?? networkName(network) })
  const trained = data?.runs.filter(isTrained) ?? []
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{t('predictor.network')}</label>
      <Select
        id={id}
        loading={!data}
        value={value}
        placeholder={t('predictor.networkHint')}
        options={trained.map((run) => ({ value: run.id, label: nameOf(run) }))}
        onChange={(runId) => {
          const run = trained.find((one) => one.id === runId)
          if (run) onChange(run.id, nameOf(run))
        }}
      />
    </div>
  )
}

const isTrained = ({ kind, artifacts }: Run): boolean =>
  kind === 'train' && artifacts.some((artifact) => artifact.kind === 'weights')
