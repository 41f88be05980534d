import type { Run } from '@neuroloom/contract/runs'
import { Button, Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { type PickedEntry, SourcePicker } from '../../features/files/source-picker.tsx'
import styles from '../../features/toolbox/toolbox.module.css'
import { useInputs } from '../../features/toolbox/use-inputs.ts'
import { useAction, useAllPages, useCall } from '../../lib/query.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Panel } from '../../ui/page.tsx'
import { Trainings } from './trainings.tsx'

/** Which trained network, on which pictures; then it is a prediction like those of a project. */
export function Predictor() {
  const { t } = useTranslation('toolbox')
  const inputs = useInputs()
  const before = useCall(
    'runs/detail',
    { id: inputs.training ?? '' },
    { enabled: !!inputs.training, quiet: true },
  )
  const projects = useAllPages('projects/list', {})
  if (projects.isError) return <ErrorState error={projects.error} retry={() => void projects.refetch()} />
  if (projects.isPending || projects.hasNextPage || (inputs.training && before.isPending)) return <Loading />
  const usable = projects.data.pages
    .flatMap((page) => page.projects)
    .filter(({ access, counts }) => access !== 'view' && counts.models > 0)
  if (usable.length === 0)
    return (
      <EmptyState
        title={t('predictor.none')}
        text={t('predictor.noneText')}
        action={<Link to="/projectHome">{t('predictor.toProjects')}</Link>}
      />
    )
  return <Choice projects={usable} before={before.data?.run} inputs={inputs} />
}

type ChoiceProps = {
  projects: readonly { id: string; name: string }[]
  before: Run | undefined
  inputs: ReturnType<typeof useInputs>
}

function Choice({ projects, before, inputs }: ChoiceProps) {
  const { t } = useTranslation('toolbox')
  const navigate = useNavigate()
  const [projectId, setProjectId] = useState(before?.projectId ?? projects[0]?.id ?? '')
  const [training, setTraining] = useState<string | null>(before?.id ?? null)
  const [isChoosing, setChoosing] = useState(false)
  const predict = useAction('toolbox/predict', {
    refresh: ['toolbox/history', 'runs/list', 'projects/detail'],
    onDone: ({ id }) => void navigate(`/run?id=${id}`),
  })
  const again = sourceOf(inputs)
  return (
    <Panel>
      <div className={styles.steps}>
        <p>{t('predictor.lead')}</p>
        <div className={styles.field}>
          <label htmlFor="predictor-project">{t('predictor.project')}</label>
          <Select
            id="predictor-project"
            showSearch={{ optionFilterProp: 'label' }}
            value={projectId}
            options={projects.map(({ id, name }) => ({ value: id, label: name }))}
            onChange={(id) => {
              setProjectId(id)
              setTraining(null)
            }}
          />
        </div>
        <Trainings key={projectId} projectId={projectId} value={training} onChange={setTraining} />
        {again && (
          <Button
            size="large"
            type="primary"
            disabled={training === null}
            loading={predict.isPending}
            onClick={() => training !== null && predict.mutate({ id: training, ...again })}
          >
            {t('predictor.again')}
          </Button>
        )}
        <Button
          size="large"
          {...(again ? {} : { type: 'primary' as const })}
          disabled={training === null}
          onClick={() => setChoosing(true)}
        >
          {t('predictor.choose')}
        </Button>
        <p>{t('predictor.place')}</p>
      </div>
      <SourcePicker
        open={isChoosing}
        busy={predict.isPending}
        onPick={(chosen: Source, _: PickedEntry[]) =>
          training !== null && predict.mutate({ id: training, ...chosen })
        }
        onClose={() => setChoosing(false)}
      />
    </Panel>
  )
}

type Source = { folderId: string } | { fileIds: string[] }

function sourceOf({ folder, files }: ReturnType<typeof useInputs>): Source | null {
  if (folder) return { folderId: folder }
  return files ? { fileIds: files.split(',') } : null
}
