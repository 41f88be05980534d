import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call } from '../../../lib/api.ts'
import { useLive } from '../../../lib/live.ts'
import { useUser } from '../../../lib/session.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { useIsNarrow } from '../../../ui/hooks/use-media.ts'
import { Loading } from '../../../ui/loading.tsx'
import { Page, useTitle } from '../../../ui/page.tsx'
import { type Saving, startSaving } from './autosave.ts'
import { Frame } from './frame.tsx'
import { openJournal } from './journal.ts'
import { type Opened, openNetwork } from './opening.ts'
import { makeScreen, ScreenContext } from './screen.ts'
import { makeEditorStore } from './store.ts'
import { EditorContext, useEditor } from './use-editor.ts'
import { Workbench, WorkbenchContext } from './workbench.ts'

const journal = openJournal()

/** One network in the editor. `withCode`: its text is open and wide. */
export function Editor({ id, withCode }: { id: string; withCode: boolean }) {
  const query = useQuery({
    queryKey: ['network file', id],
    queryFn: () => openNetwork(id, journal),
    // The editor holds the truth from here on.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnReconnect: false,
  })
  if (query.data) return <Ready opened={query.data} withCode={withCode} />
  return (
    <Page>
      {query.isError ? (
        <ErrorState error={query.error} retry={() => void query.refetch()} />
      ) : (
        <Loading shape="page" />
      )}
    </Page>
  )
}

function Ready({ opened, withCode }: { opened: Opened; withCode: boolean }) {
  const isNarrow = useIsNarrow()
  const [bench] = useState(() => {
    const { file, library, unsaved } = opened
    // The text is wide: beside it the drawing needs the palette's room.
    const folds = { isPaletteOpen: !isNarrow && !withCode, isSideOpen: !isNarrow }
    return new Workbench(
      makeEditorStore(file, library, unsaved),
      makeScreen({ isCodeOpen: withCode, ...folds }),
    )
  })
  const saving = useSaving(bench)
  return (
    <EditorContext value={bench.store}>
      <ScreenContext value={bench.screen}>
        <WorkbenchContext value={bench}>
          <Title />
          <Frame opened={opened} journal={journal} saveNow={saving} isWide={withCode} />
        </WorkbenchContext>
      </ScreenContext>
    </EditorContext>
  )
}

/** Saves as long as the editor is open, and once more when it closes. */
function useSaving({ store }: Workbench): () => void {
  const [running] = useState<{ saving: Saving | null }>({ saving: null })
  const [saveNow] = useState(() => () => void running.saving?.flush())
  const user = useUser()
  useLive(user && { kind: 'user', id: user.id }, {
    onEvent: ({ type, data }) => {
      if (type !== 'network' || data.id !== store.getState().file.id) return
      void running.saving?.heard(Number(data.revision))
    },
  })
  useEffect(() => {
    const saving = startSaving(store, {
      journal,
      send: (body) => call('networks/save', body, { quiet: true }),
    })
    running.saving = saving
    return () => {
      void saving.flush()
      saving.stop()
    }
  }, [store, running])
  return saveNow
}

function Title() {
  useTitle(useEditor(({ file }) => file.name))
  return null
}
