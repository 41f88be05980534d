import type { EditorState, EditorStore } from '../editor/store.ts'

/** Settles when the server has the present state: what it then copies or trains is what is seen. */
export function whenSaved(store: EditorStore): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (state: EditorState): boolean => {
      if (isSaved(state)) resolve()
      else if (state.saveState === 'conflict' || state.saveState === 'failed') reject(new NotSaved())
      else return false
      return true
    }
    if (settle(store.getState())) return
    const stop = store.subscribe((state) => {
      if (settle(state)) stop()
    })
  })
}

/** The page says beside it why; here it only ends the wait. */
export class NotSaved extends Error {}

function isSaved({ document, layout, text, saved }: EditorState): boolean {
  return document === saved.document && layout === saved.layout && text === saved.text
}
