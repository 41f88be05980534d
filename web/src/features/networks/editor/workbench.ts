/** All that one open editor is made of, for whoever acts on it: the network, what is open, the scene, the view. */
import { createContext, useContext } from 'react'
import type { Direction, Point } from '../canvas/geometry.ts'
import { type Scene, SceneMaker } from '../canvas/scene.ts'
import type { ScreenStore } from './screen.ts'
import type { EditorState, EditorStore } from './store.ts'

/** What the canvas can do once it is on the page. */
export interface View {
  show: (path: string) => void
  fit: () => void
  /** Middle of what is seen, on the canvas. */
  centre: () => Point
}

export class Workbench {
  readonly store: EditorStore
  readonly screen: ScreenStore
  view: View | null = null
  /** Where data flow to as long as nobody chose it or moved anything: as the canvas had room when it was opened. */
  direction: Direction = 'down'
  private readonly maker = new SceneMaker()
  private last: { state: EditorState; scene: Scene } | null = null

  constructor(store: EditorStore, screen: ScreenStore) {
    this.store = store
    this.screen = screen
  }

  get scene(): Scene {
    return this.sceneOf(this.store.getState())
  }

  sceneOf(state: EditorState): Scene {
    const { last } = this
    const direction = this.directionOf(state.layout)
    const isSame =
      last !== null &&
      last.scene.direction === direction &&
      last.state.document === state.document &&
      last.state.layout === state.layout &&
      last.state.resolved === state.resolved &&
      last.state.seen === state.seen
    if (isSame) return last.scene
    const { document, vocabulary, layout, resolved, seen } = state
    const scene = this.maker.make({ document, vocabulary, layout, types: resolved.types, seen, direction })
    this.last = { state, scene }
    return scene
  }

  /** Older drawings that somebody arranged go down. */
  private directionOf({ direction, pos }: EditorState['layout']): Direction {
    return direction ?? (Object.keys(pos).length > 0 ? 'down' : this.direction)
  }
}

export const WorkbenchContext = createContext<Workbench | null>(null)

export function useWorkbench(): Workbench {
  const workbench = useContext(WorkbenchContext)
  if (workbench === null) throw new Error('no editor around')
  return workbench
}
