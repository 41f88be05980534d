import { isLearned } from '@neuroloom/contract/task'
import { Suspense } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { FolderPicker } from '../features/files/folder/folder-picker.tsx'
import type { PickerProps } from '../features/labelling/sets/set-form.tsx'
import { call } from '../lib/api.ts'
import { useCall } from '../lib/query.ts'
import { lazyPart } from '../ui/lazy-part.tsx'
import { Loading } from '../ui/loading.tsx'
import { Page } from '../ui/page.tsx'

// Who looks over sets needs no canvas, and who draws needs no list.
const SetList = lazyPart(async () => (await import('../features/labelling/sets/set-list.tsx')).SetList)
const SetForm = lazyPart(async () => (await import('../features/labelling/sets/set-form.tsx')).SetForm)
const SetPage = lazyPart(async () => (await import('../features/labelling/sets/set-page.tsx')).SetPage)
const Beside = lazyPart(async () => (await import('../features/labelling/people/beside.tsx')).Beside)
const Editor = lazyPart(async () => (await import('../features/labelling/editor/editor.tsx')).Editor)

/**
 * `/labelling`: all sets. `?new`: a new one (of `folder`, of `project`). `?set=`: its images, or the `tab` of it. `?set=&item=`: the
 * editor, of another one's `reading` too; with `beside`: all readings of that image.
 */
export function Labelling() {
  return (
    <Suspense
      fallback={
        <Page>
          <Loading shape="page" />
        </Page>
      }
    >
      <Shown />
    </Suspense>
  )
}

function Shown() {
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const set = search.get('set')
  const item = search.get('item')
  const reading = search.get('reading')
  if (set && item && search.has('beside')) return <Beside setId={set} itemId={item} />
  if (set && item) return <Editor key={`${item} ${reading}`} itemId={item} readingId={reading} />
  if (set)
    return (
      <SetPage
        key={set}
        setId={set}
        tab={search.get('tab')}
        picker={FolderIdPicker}
        onOpenFolder={(id) => navigate(`/cloudFile?id=${encodeURIComponent(id)}`)}
        onGone={() => navigate('/labelling')}
      />
    )
  if (!search.has('new')) return <SetList onNew={() => navigate('/labelling?new')} />
  return <NewSet search={search} />
}

/** Of a folder of the cloud, or for a project, whose task says what is marked. */
function NewSet({ search }: { search: URLSearchParams }) {
  const navigate = useNavigate()
  const folderId = search.get('folder')
  const projectId = search.get('project')
  const project = useCall(
    'projects/detail',
    { id: projectId ?? '' },
    { quiet: true, enabled: projectId !== null },
  )
  if (projectId !== null && project.isPending) return <Loading shape="page" />
  const task = project.data?.task ?? null
  return (
    <SetForm
      folder={folderId === null ? null : { id: folderId, name: search.get('name') ?? '' }}
      projectId={project.data?.id ?? null}
      task={task !== null && isLearned(task) ? task : null}
      picker={Picker}
      onMade={(id) => navigate(`/labelling?set=${encodeURIComponent(id)}`, { replace: true })}
    />
  )
}

type FolderIdPickerProps = { open: boolean; onPick: (folderId: string) => void; onClose: () => void }

const FolderIdPicker = (props: FolderIdPickerProps) => <FolderPicker {...props} />

function Picker({ open, onPick, onClose }: PickerProps) {
  const pick = async (id: string) => {
    const { path } = await call('files/list', { folderId: id, filter: 'folder' })
    onPick({ id, name: path.at(-1)?.name ?? '' })
  }
  return <FolderPicker open={open} onPick={(id) => void pick(id)} onClose={onClose} />
}
