/** Finding in a text: fetched when the page has nothing else to do, or when somebody wants it first. */
import type { EditorView, KeyBinding } from '@codemirror/view'

const views = new WeakMap<EditorView, Promise<void>>()

export function addSearch(view: EditorView): void {
  added(view).catch((error: unknown) => {
    views.delete(view)
    console.error(error)
  })
}

function added(view: EditorView): Promise<void> {
  const adding = views.get(view) ?? add(view)
  views.set(view, adding)
  return adding
}

async function add(view: EditorView): Promise<void> {
  const { extendWithSearch } = await import('./code-search.ts')
  // Closed in the meantime.
  if (view.dom.isConnected) extendWithSearch(view)
}

/** Behind the real keys of the search once they are there. */
export const searchKey: KeyBinding = {
  key: 'Mod-f',
  run: (view) => {
    openSearch(view).catch((error: unknown) => {
      views.delete(view)
      console.error(error)
    })
    return true
  },
}

async function openSearch(view: EditorView): Promise<void> {
  await added(view)
  const { openSearchPanel } = await import('./code-search.ts')
  openSearchPanel(view)
}
