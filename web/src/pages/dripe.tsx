import { Suspense } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { lazyPart } from '../ui/lazy-part.tsx'
import { Loading } from '../ui/loading.tsx'
import { Page } from '../ui/page.tsx'

// Who looks over the own networks needs no canvas, and who draws needs no list.
const DripeHome = lazyPart(
  async () => (await import('../features/networks/panels/home/dripe-home.tsx')).DripeHome,
)
const Editor = lazyPart(async () => (await import('../features/networks/editor/editor.tsx')).Editor)

/** `/dripe`: own networks and ways to a new one. `/dripe?id=`: the editor. `/yamlCode?id=`: the editor with its text wide open. */
export function Dripe() {
  const [search] = useSearchParams()
  const { pathname } = useLocation()
  const id = search.get('id')
  return (
    <Suspense
      fallback={
        <Page>
          <Loading shape="page" />
        </Page>
      }
    >
      {id === null || id === '' ? (
        <DripeHome />
      ) : (
        <Editor key={id} id={id} withCode={pathname === '/yamlCode'} />
      )}
    </Suspense>
  )
}
