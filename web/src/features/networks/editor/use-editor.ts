import { createContext, useContext } from 'react'
import { useStore } from 'zustand'
import type { EditorState, EditorStore } from './store.ts'

export const EditorContext = createContext<EditorStore | null>(null)

/** The store itself, for handlers: read it when something happens, without drawing anew when it changes. */
export function useEditorStore(): EditorStore {
  const store = useContext(EditorContext)
  if (store === null) throw new Error('no editor around')
  return store
}

/** A part of the editor's state; the selector must give the same value for the same state. */
export function useEditor<T>(select: (state: EditorState) => T): T {
  return useStore(useEditorStore(), select)
}
