import { Suspense } from 'react'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import type { Journal } from './journal.ts'
import type { Opened } from './opening.ts'
import { useEditor } from './use-editor.ts'

// Few networks have any of them.
const Conflict = lazyPart(async () => (await import('./notice-alerts.tsx')).Conflict)
const Restored = lazyPart(async () => (await import('./notice-alerts.tsx')).Restored)
const Stale = lazyPart(async () => (await import('./notice-alerts.tsx')).Stale)

/** What has to be decided about states that differ: after a crash, and when the network was changed elsewhere. */
export function Notices({ opened, journal }: { opened: Opened; journal: Journal }) {
  const isConflict = useEditor(({ saveState }) => saveState === 'conflict')
  return (
    <Suspense fallback={null}>
      {isConflict && <Conflict />}
      {opened.unsaved !== null && <Restored draft={opened.unsaved} />}
      {opened.stale !== null && <Stale draft={opened.stale} journal={journal} />}
    </Suspense>
  )
}
