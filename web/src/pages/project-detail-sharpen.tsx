import type { Project } from '@neuroloom/contract/projects'
import type { Run } from '@neuroloom/contract/runs'
import { useQueryClient } from '@tanstack/react-query'
import { Tag } from 'antd'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { AboutSharpen } from '../features/flow/sharpen/about-sharpen.tsx'
import { Verdict } from '../features/flow/sharpen/verdict.tsx'
import { useNetworkName } from '../features/networks/network-name.ts'
import { RunList } from '../features/runs/run-list.tsx'
import { StepSection } from '../features/runs/train/step-section.tsx'
import { refreshPaths, useCall } from '../lib/query.ts'
import { UsedLimit } from '../ui/limits/used-limit.tsx'
import styles from './project-detail.module.css'

type Props = { project: Project; trainings: readonly Run[] }

/** In a project of 4D flow, for whoever wants it: networks that make its studies finer. */
export function SharpenStep({ project, trainings }: Props) {
  const { t } = useTranslation('flow-sharpen')
  const navigate = useNavigate()
  const networkName = useNetworkName()
  const mayChange = project.access !== 'view'
  const sharpeners = useSharpeners(project.id, trainings)
  if (!mayChange && trainings.length === 0) return null
  return (
    <StepSection
      number={3}
      title={t('title')}
      state={sharpeners.some(({ wins }) => wins) ? 'done' : 'later'}
      extra={<Tag>{t('optional')}</Tag>}
    >
      {project.access === 'own' && (
        <div className={styles.room}>
          <UsedLimit name="trainedModels" />
        </div>
      )}
      <AboutSharpen
        projectId={project.id}
        mayChange={mayChange}
        onStarted={({ id }) => void navigate(`/run?id=${encodeURIComponent(id)}`)}
      />
      <RunList
        projectId={project.id}
        kind="flow_train"
        networkName={networkName}
        mayRemove={project.access === 'own'}
        note={(run) => {
          const sharpener = sharpeners.find(({ trainingId }) => trainingId === run.id)
          return sharpener ? (
            <Verdict gain={sharpener.gain} wins={sharpener.wins} count={sharpener.kept} />
          ) : null
        }}
        empty={<p className={styles.quiet}>{t('noTrainings')}</p>}
      />
    </StepSection>
  )
}

/** Asked once more when a training moves on. */
function useSharpeners(projectId: string, trainings: readonly Run[]) {
  const queries = useQueryClient()
  const states = trainings.map(({ id, state }) => `${id} ${state}`).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: each state of the trainings has its own answer
  useEffect(() => refreshPaths(queries, ['flow/sharpeners']), [queries, states])
  return useCall('flow/sharpeners', { projectId }, { quiet: true }).data?.sharpeners ?? []
}
