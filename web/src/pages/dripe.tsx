import { useLocation, useSearchParams } from 'react-router'
import { Editor } from '../features/networks/editor/editor.tsx'
import { DripeHome } from '../features/networks/panels/dripe-home.tsx'

/** `/dripe`: own networks and ways to a new one. `/dripe?id=`: the editor. `/yamlCode?id=`: the editor with its text wide open. */
export function Dripe() {
  const [search] = useSearchParams()
  const { pathname } = useLocation()
  const id = search.get('id')
  if (id === null || id === '') return <DripeHome />
  return <Editor key={id} id={id} withCode={pathname === '/yamlCode'} />
}
