import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useSearchParams } from 'react-router'
import { SourcePicker } from '../features/files/source-picker.tsx'
import { projectAddress } from '../features/flow/address.ts'
import type { MaskPicker } from '../features/flow/compute/mask-part.tsx'
import { ResearchNote } from '../features/flow/research-note.tsx'
import { useCall } from '../lib/query.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { lazyPart } from '../ui/lazy-part.tsx'
import { Loading } from '../ui/loading.tsx'
import { Page, PageHeader } from '../ui/page.tsx'
import { ChooseProject } from './choose-project.tsx'

const ComputeView = lazyPart(
  async () => (await import('../features/flow/compute/compute-view.tsx')).ComputeView,
)

/** `/projectFlow?id=`: the form of a 4D flow run in a project; of a `study`, as another `run` was asked. */
export function ProjectFlow() {
  const [search] = useSearchParams()
  const id = search.get('id')
  return (
    <Page>
      {id ? (
        <Form key={id} id={id} studyId={search.get('study')} runId={search.get('run')} />
      ) : (
        <ChooseProject />
      )}
    </Page>
  )
}

type FormProps = { id: string; studyId: string | null; runId: string | null }

function Form({ id, studyId, runId }: FormProps) {
  const { t } = useTranslation('flow-project')
  const navigate = useNavigate()
  const project = useCall('projects/detail', { id }, { quiet: true })
  if (project.isError) return <ErrorState error={project.error} retry={() => void project.refetch()} />
  if (!project.data) return <Loading shape="page" />
  if (project.data.task !== 'flow') return <ChooseProject />
  return (
    <>
      <PageHeader
        title={t('form.title')}
        name={`${t('form.title')} · ${project.data.name}`}
        subtitle={
          <>
            <p>{t('form.subtitle')}</p>
            <ResearchNote />
          </>
        }
        back={{ to: projectAddress(id), label: project.data.name }}
      />
      {project.data.access === 'view' ? (
        <EmptyState title={t('form.mayNot')} />
      ) : (
        <Suspense fallback={<Loading shape="page" />}>
          <ComputeView
            projectId={id}
            studyId={studyId}
            runId={runId}
            picker={Picker}
            onStarted={(run) => void navigate(`/run?id=${encodeURIComponent(run.id)}`)}
          />
        </Suspense>
      )}
    </>
  )
}

const Picker: MaskPicker = ({ onPick, ...props }) => (
  <SourcePicker
    {...props}
    busy={false}
    onPick={(_, entries) => {
      const [only, ...others] = entries
      onPick(only?.kind === 'file' && others.length === 0 ? { id: only.id, name: only.name } : null)
    }}
  />
)
