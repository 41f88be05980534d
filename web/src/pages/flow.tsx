import { Suspense } from 'react'
import { useSearchParams } from 'react-router'
import { lazyPart } from '../ui/lazy-part.tsx'
import { Loading } from '../ui/loading.tsx'
import { Page } from '../ui/page.tsx'
import { FlowPicker } from './flow-picker.tsx'

const StudyList = lazyPart(async () => (await import('../features/flow/studies/study-list.tsx')).StudyList)
const StudyView = lazyPart(async () => (await import('../features/flow/study/study-view.tsx')).StudyView)
const KnownFlows = lazyPart(async () => (await import('../features/flow/known/known-flows.tsx')).KnownFlows)

/** `/flow`: all 4D flow studies. `?known`: flows that are known exactly, for a `project` too. `?study=`: one study, of a `project` where it was come from. */
export function Flow() {
  const [search] = useSearchParams()
  return (
    <Suspense
      fallback={
        <Page>
          <Loading shape="page" />
        </Page>
      }
    >
      <Shown study={search.get('study')} isKnown={search.has('known')} projectId={search.get('project')} />
    </Suspense>
  )
}

type ShownProps = { study: string | null; isKnown: boolean; projectId: string | null }

function Shown({ study, isKnown, projectId }: ShownProps) {
  if (study) return <StudyView key={study} id={study} projectId={projectId} />
  return isKnown ? <KnownFlows projectId={projectId} /> : <StudyList picker={FlowPicker} />
}
