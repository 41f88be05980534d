import type { Run } from '@neuroloom/contract/runs'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { projectAddress } from '../features/flow/address.ts'
import { CompareChoice } from '../features/flow/compare/compare-choice.tsx'
import { CompareView } from '../features/flow/compare/compare-view.tsx'
import { MomentsView } from '../features/flow/compare/moments-view.tsx'
import { useCall } from '../lib/query.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { PageHeader, Panel } from '../ui/page.tsx'

/** Which two runs of 4D flow. */
export function FlowChoice({ projectId, runs }: { projectId: string; runs: readonly Run[] }) {
  const { t } = useTranslation('flow-project')
  const navigate = useNavigate()
  return (
    <>
      <PageHeader
        title={t('compare.title')}
        subtitle={t('compare.lead')}
        back={{ to: projectAddress(projectId), label: t('toProject') }}
      />
      {runs.length < 2 ? (
        <EmptyState title={t('compare.tooFew')} />
      ) : (
        <Panel>
          <CompareChoice runs={runs} onCompare={(ids) => void navigate(`/compare?flow=${ids.join(',')}`)} />
        </Panel>
      )}
    </>
  )
}

/** Two runs of 4D flow beside each other. */
export function FlowCompared({ ids }: { ids: readonly [string, string] }) {
  const { t } = useTranslation('flow-project')
  const { data } = useCall('runs/detail', { id: ids[0] }, { quiet: true })
  const projectId = data?.run.projectId
  return (
    <>
      <PageHeader
        title={t('compare.title')}
        subtitle={t('compare.lead')}
        {...(projectId === undefined
          ? {}
          : {
              back: { to: projectAddress(projectId), label: t('toProject') },
              actions: (
                <Link to={`/compare?project=${encodeURIComponent(projectId)}`}>{t('compare.again')}</Link>
              ),
            })}
      />
      <CompareView ids={ids} />
    </>
  )
}

/** Two moments of one run beside each other. */
export function FlowMoments({ id }: { id: string }) {
  const { t } = useTranslation('flow-beside')
  return (
    <>
      <PageHeader
        title={t('momentsTitle')}
        subtitle={t('momentsLead')}
        back={{ to: `/run?id=${encodeURIComponent(id)}`, label: t('toRun') }}
      />
      <MomentsView id={id} />
    </>
  )
}
