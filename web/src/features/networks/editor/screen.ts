/** What of the editor is open at the moment: panels, dialogs, a connection being drawn. Never saved, no part of undo. */
import { createContext, useContext } from 'react'
import { useStore } from 'zustand'
import { createStore, type StoreApi } from 'zustand/vanilla'

/** Subjects of the side panel. */
export type SideTab = 'settings' | 'problems' | 'cost' | 'versions' | 'look' | 'train'

/** An outlet that waits for its target: drawn by keyboard, by touch, or dropped on empty canvas. */
export interface Pending {
  /** Canvas path of the node that gives. */
  source: string
  /** Name of its output port; '' where there is one. */
  outlet: string
}

/** Where the quick palette puts what is chosen: behind the selection, or at a place, perhaps connected or on an edge. */
export interface QuickPlace {
  /** Path of the opened block that gets it; '' is the document. */
  parent: string
  /** In the coordinates of that graph; null = where there is room. */
  at: [number, number] | null
  from: Pending | null
}

export interface Screen {
  isPaletteOpen: boolean
  isSideOpen: boolean
  isCodeOpen: boolean
  tab: SideTab
  /** Grows when the first field of the side panel should get the focus. */
  fieldTurn: number
  quick: QuickPlace | null
  pending: Pending | null
  /** Where the arrows stand while one connects by keyboard. */
  aim: { target: string; slot: number } | null
  dialog: 'help' | 'rename' | 'swap' | 'group' | null
  isFinding: boolean
  /** The comment that is written at the moment. */
  writing: string | null
  /** Where the keyboard stands on the canvas; `focusTurn` grows when the focus should go there. */
  active: string | null
  focusTurn: number
  /** The turn that was obeyed: what scrolls into view again must not take the focus once more. */
  focusedTurn: number
  /** Ports that the drawn connection may lead to, as `path|slot`; null = none is drawn. */
  fits: ReadonlySet<string> | null
  menu: { x: number; y: number; wire: string | null } | null
  /** For the live region: what the last action did; `turn` tells the same twice. */
  told: { text: string; turn: number }

  set: (change: Partial<Omit<Screen, 'set' | 'openTab' | 'tell' | 'focus'>>) => void
  /** Unfolds the side panel at a subject; with `focus` its first field is ready to be typed into. */
  openTab: (tab: SideTab, focus?: 'field') => void
  tell: (text: string) => void
  focus: (path: string | null) => void
}
export type ScreenStore = StoreApi<Screen>

export function makeScreen(start: Partial<Screen> = {}): ScreenStore {
  return createStore<Screen>()((set, get) => ({
    isPaletteOpen: true,
    isSideOpen: true,
    isCodeOpen: false,
    tab: 'settings',
    fieldTurn: 0,
    quick: null,
    pending: null,
    aim: null,
    dialog: null,
    isFinding: false,
    writing: null,
    active: null,
    focusTurn: 0,
    focusedTurn: 0,
    fits: null,
    menu: null,
    told: { text: '', turn: 0 },
    ...start,

    set: (change) => set(change),
    openTab: (tab, focus) =>
      set({ isSideOpen: true, tab, ...(focus === undefined ? {} : { fieldTurn: get().fieldTurn + 1 }) }),
    focus: (path) => set({ active: path, focusTurn: get().focusTurn + 1 }),
    tell: (text) => set({ told: { text, turn: get().told.turn + 1 } }),
  }))
}

export const ScreenContext = createContext<ScreenStore | null>(null)

export function useScreenStore(): ScreenStore {
  const store = useContext(ScreenContext)
  if (store === null) throw new Error('no editor around')
  return store
}

export function useScreen<T>(select: (screen: Screen) => T): T {
  return useStore(useScreenStore(), select)
}
