/** Words on the canvas: kept beside the network with the places of its layers, of no meaning to it. */
import type { CanvasComment, Layout } from '@neuroloom/contract/network/layout/file'
import type { Point } from '../canvas/geometry.ts'
import { snapped } from '../canvas/geometry.ts'
import { refuse, tell } from './tell.ts'
import type { Workbench } from './workbench.ts'

export const isComment = (id: string): boolean => id.startsWith('#')

const mostComments = 200

/** Empty, to be written into at once; in the middle of what is seen unless somebody pointed at a place. */
export function addComment(bench: Workbench, place: Point = bench.view?.centre() ?? [0, 0]): void {
  const { layout, arrange, select } = bench.store.getState()
  const known = commentsOf(layout)
  if (known.length >= mostComments) {
    refuse(bench, 'noRoom')
    return
  }
  const numbers = known.map(({ id }) => Number(id.slice(1)) || 0)
  const id = `#${Math.max(0, ...numbers) + 1}`
  const comment: CanvasComment = { id, at: [snapped(place[0]), snapped(place[1])], text: '' }
  arrange((before) => ({ ...before, comments: [...commentsOf(before), comment] }), id)
  select([id])
  bench.screen.getState().set({ writing: id })
}

/** A comment that says nothing goes. */
export function writeComment(bench: Workbench, id: string, text: string): void {
  const said = text.trim()
  const change = (one: CanvasComment) => (one.id === id ? { ...one, text: said } : one)
  const isSame = commentsOf(bench.store.getState().layout).some((one) => one.id === id && one.text === said)
  bench.screen.getState().set({ writing: null })
  if (said === '') removeComments(bench, new Set([id]))
  else if (!isSame) changeComments(bench, (all) => all.map(change), id)
}

/** How many there were. */
export function removeComments(bench: Workbench, ids: ReadonlySet<string>): number {
  const count = commentsOf(bench.store.getState().layout).filter(({ id }) => ids.has(id)).length
  if (count === 0) return 0
  changeComments(bench, (all) => all.filter(({ id }) => !ids.has(id)))
  tell(bench, 'removed', { count })
  return count
}

export function movedComments(layout: Layout, places: ReadonlyMap<string, Point>): Layout {
  const comments = commentsOf(layout).map((one): CanvasComment => {
    const [x, y] = places.get(one.id) ?? one.at
    return { ...one, at: [x, y] }
  })
  return { ...layout, comments }
}

export const commentsOf = ({ comments = [] }: Layout): readonly CanvasComment[] => comments

function changeComments(
  { store }: Workbench,
  change: (comments: readonly CanvasComment[]) => readonly CanvasComment[],
  merge?: string,
): void {
  store.getState().arrange((layout) => ({ ...layout, comments: [...change(commentsOf(layout))] }), merge)
}
