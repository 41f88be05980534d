/** What the editor of one network holds: the document with its places, undo, selection, and what follows from them. */

import type { Vocabulary } from '@neuroloom/contract/network/document/canonical'
import type { Document } from '@neuroloom/contract/network/document/document'
import { explicit } from '@neuroloom/contract/network/edit/edit'
import type { Layout } from '@neuroloom/contract/network/layout/file'
import type { Library } from '@neuroloom/contract/network/library'
import type { DataFacts } from '@neuroloom/contract/network/resolve/bind'
import type { InferMemory } from '@neuroloom/contract/network/resolve/expand'
import type { DocumentProblem } from '@neuroloom/contract/network/resolve/problems'
import { type Resolved, resolve } from '@neuroloom/contract/network/resolve/resolve'
import { patchYaml } from '@neuroloom/contract/network/yaml/patch'
import { readYaml } from '@neuroloom/contract/network/yaml/yaml'
import type { NetworkFile, Seen } from '@neuroloom/contract/networks'
import { createStore, type StoreApi } from 'zustand/vanilla'

/** What undo goes back to: everything that a member changes, nothing that follows from it. */
export interface Step {
  document: Document
  layout: Layout
  /** The text that `document` was last read from: comments live only there. */
  text: string
}

export type Heat = 'off' | 'parameters' | 'macs' | 'memory'
export type SaveState = 'saved' | 'waiting' | 'saving' | 'failed' | 'conflict'

/** A data set that the network is looked at with: it binds classes, channels and size. */
export interface BoundData {
  datasetId: string
  projectId: string
  name: string
  facts: DataFacts
}

export interface EditorState extends Step {
  file: Pick<NetworkFile, 'id' | 'name' | 'version' | 'mayDownloadPicture'>
  library: Library
  vocabulary: Vocabulary
  resolved: Resolved
  past: readonly Step[]
  future: readonly Step[]
  /** Canvas paths (see paths.ts). */
  selection: ReadonlySet<string>
  heat: Heat
  data: BoundData | null
  /** Feature maps by canvas path, while one looks into the network. */
  seen: ReadonlyMap<string, Seen> | null
  /** Differences to another version, by canvas path, while they are shown. */
  compared: ReadonlyMap<string, 'added' | 'changed'> | null
  /** A canvas path to bring into view; `turn` makes the same wish twice two wishes. */
  wanted: { path: string; turn: number } | null
  /** What the server has, by identity of the parts above. */
  saved: Step & { revision: number }
  saveState: SaveState

  /**
   * Changes the document. Edits with the same `merge` that follow each other are one step of undo (typing, dragging).
   * A change that gives the same document back is no step.
   */
  edit: (change: (document: Document) => Document, options?: EditOptions) => void
  /** Takes over a text typed on the code side. With problems the last good state stays. */
  type: (text: string) => DocumentProblem[]
  /** Goes to another whole state, as one step of undo. */
  replace: (step: Step) => void
  /** Moves things or opens blocks. */
  arrange: (change: (layout: Layout) => Layout, merge?: string) => void
  undo: () => void
  redo: () => void
  select: (paths: Iterable<string>) => void
  reveal: (path: string) => void
  bind: (data: BoundData | null) => void
  show: (
    change: Partial<Pick<EditorState, 'heat' | 'seen' | 'compared' | 'saveState' | 'saved' | 'file'>>,
  ) => void
}

export interface EditOptions {
  merge?: string
  arrange?: (layout: Layout) => Layout
  select?: Iterable<string>
}

export type EditorStore = StoreApi<EditorState>

/** `file.text` must be readable: the server keeps no other. A journal's newer state is given as `unsaved`. */
export function makeEditorStore(
  file: NetworkFile,
  library: Library,
  unsaved: { text: string; layout: Layout } | null = null,
): EditorStore {
  const vocabulary: Vocabulary = library
  const memory: InferMemory = new Map()
  const saved = stepOf(file, vocabulary)
  const start = unsaved === null ? saved : stepOf(unsaved, vocabulary)
  let lastMerge: string | null = null

  const work = (document: Document, data: BoundData | null) =>
    resolve(document, { ...vocabulary, memory, ...(data === null ? {} : { data: data.facts }) })

  return createStore<EditorState>()((set, get) => {
    /** One step of undo more, unless it goes on with the last one. */
    const step = (next: Step, merge: string | undefined, selection?: ReadonlySet<string>) => {
      const { document, layout, text, past, data, resolved } = get()
      const isSame = next.document === document && next.layout === layout && next.text === text
      if (isSame) {
        if (selection !== undefined) set({ selection })
        return
      }
      const goesOn = merge !== undefined && merge === lastMerge
      lastMerge = merge ?? null
      set({
        ...next,
        past: goesOn ? past : [...past, { document, layout, text }],
        future: [],
        resolved: next.document === document ? resolved : work(next.document, data),
        saveState: get().saveState === 'conflict' ? 'conflict' : 'waiting',
        ...(next.document === document ? {} : { seen: null, compared: null }),
        ...(selection === undefined ? {} : { selection }),
      })
    }
    const jump = (to: Step, past: readonly Step[], future: readonly Step[]) => {
      const { document, data, resolved, saveState } = get()
      lastMerge = null
      set({
        document: to.document,
        layout: to.layout,
        text: to.text,
        past,
        future,
        resolved: to.document === document ? resolved : work(to.document, data),
        saveState: saveState === 'conflict' ? 'conflict' : 'waiting',
        seen: null,
        compared: null,
      })
    }
    const present = (): Step => {
      const { document, layout, text } = get()
      return { document, layout, text }
    }

    return {
      ...start,
      file,
      library,
      vocabulary,
      resolved: work(start.document, null),
      past: [],
      future: [],
      selection: new Set(),
      heat: 'off',
      data: null,
      seen: null,
      compared: null,
      wanted: null,
      saved: { ...saved, revision: file.revision },
      saveState: unsaved === null ? 'saved' : 'waiting',

      edit(change, { merge, arrange, select } = {}) {
        const { document, layout, text } = get()
        const next = { document: change(document), layout: arrange?.(layout) ?? layout, text }
        step(next, merge, select === undefined ? undefined : new Set(select))
      },
      type(text) {
        const { document, problems } = readYaml(text)
        if (document === null) return problems
        step({ document: explicit(document, vocabulary), layout: get().layout, text }, 'type')
        return []
      },
      replace: ({ document, layout, text }) => step({ document, layout, text }, undefined, new Set()),
      arrange(change, merge) {
        const { document, layout, text } = get()
        step({ document, layout: change(layout), text }, merge)
      },
      undo() {
        const { past, future } = get()
        const to = past.at(-1)
        if (to !== undefined) jump(to, past.slice(0, -1), [present(), ...future])
      },
      redo() {
        const { past, future } = get()
        const [to, ...rest] = future
        if (to !== undefined) jump(to, [...past, present()], rest)
      },
      select: (paths) => set({ selection: new Set(paths) }),
      reveal: (path) =>
        set({ wanted: { path, turn: (get().wanted?.turn ?? 0) + 1 }, selection: new Set([path]) }),
      bind: (data) => set({ data, resolved: work(get().document, data) }),
      show: (change) => set(change),
    }
  })
}

/** The text of the present document: comments and untouched lines as they were typed. Not cheap; for saving and the code side. */
export function textOf({
  text,
  document,
  vocabulary,
}: Pick<EditorState, 'text' | 'document' | 'vocabulary'>): string {
  return patchYaml(text, document, vocabulary)
}

/** A saved text as the editor holds it. Throws when it cannot be read, which the server never keeps. */
export function stepOf({ text, layout }: { text: string; layout: Layout }, vocabulary: Vocabulary): Step {
  const { document } = readYaml(text)
  if (document === null) throw new Error('a saved network cannot be read')
  return { document: explicit(document, vocabulary), layout, text }
}
