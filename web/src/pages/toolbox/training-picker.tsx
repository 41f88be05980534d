import { Modal, Select } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import styles from '../../features/toolbox/toolbox.module.css'
import { useAllPages } from '../../lib/query.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Trainings } from './trainings.tsx'

type Picked = { id: string; name: string }
type TrainingPickerProps = { onPick: (training: Picked) => void; onClose: () => void }

/** One training that left weights, of any project that the member may look at. */
export function TrainingPicker({ onPick, onClose }: TrainingPickerProps) {
  const { t } = useTranslation(['toolbox', 'common', 'inspector'])
  const id = useId()
  const [projectId, setProjectId] = useState<string | null>(null)
  const [picked, setPicked] = useState<Picked | null>(null)
  const { data, isError, error, refetch, hasNextPage } = useAllPages('projects/list', {})
  const isWhole = data !== undefined && !hasNextPage
  const projects =
    data?.pages.flatMap((page) => page.projects).filter(({ counts }) => counts.models > 0) ?? []
  return (
    <Modal
      open
      centered
      title={t('inspector:training')}
      okText={t('inspector:takeTraining')}
      cancelText={t('common:cancel')}
      okButtonProps={{ disabled: picked === null }}
      onOk={() => picked && onPick(picked)}
      onCancel={onClose}
    >
      {isError && <ErrorState error={error} retry={() => void refetch()} />}
      {!isError && !isWhole && <Loading />}
      {isWhole && projects.length === 0 && <p>{t('inspector:noTraining')}</p>}
      {isWhole && projects.length > 0 && (
        <div className={styles.steps}>
          <div className={styles.field}>
            <label htmlFor={id}>{t('predictor.project')}</label>
            <Select
              id={id}
              showSearch={{ optionFilterProp: 'label' }}
              value={projectId}
              options={projects.map(({ id: value, name }) => ({ value, label: name }))}
              onChange={(value) => {
                setPicked(null)
                setProjectId(value)
              }}
            />
          </div>
          {projectId !== null && (
            <Trainings
              key={projectId}
              projectId={projectId}
              value={picked?.id ?? null}
              onChange={(runId, name) => {
                const project = projects.find((one) => one.id === projectId)?.name ?? ''
                setPicked({ id: runId, name: `${project} · ${name}` })
              }}
            />
          )}
        </div>
      )}
    </Modal>
  )
}
