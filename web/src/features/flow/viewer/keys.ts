import type { KeyboardEvent } from 'react'
import { type Choice, nearestVoxel, sightIn } from './choice.ts'
import { wholeView } from './draw/frame.ts'
import type { Facts } from './numbers/asks.ts'
import type { Play } from './use-play.ts'

type By = { column?: number; row?: number; slice?: number }
type Keys = {
  head: Facts['head']
  choice: Choice
  change: (patch: Partial<Choice>) => void
  setFrame: (frame: number) => void
  play: Play
  onMove: (by: By) => void
  onEnter: () => void
  onEscape: () => void
}

/** All of the picture by keyboard; true where the key was one of its own. */
export function keysOf({ head, choice, change, setFrame, play, onMove, onEnter, onEscape }: Keys) {
  return (event: KeyboardEvent): boolean => {
    const far = event.shiftKey ? 5 : 1
    const acts: Record<string, () => void> = {
      ArrowLeft: () => onMove({ column: -far }),
      ArrowRight: () => onMove({ column: far }),
      ArrowUp: () => onMove({ row: -far }),
      ArrowDown: () => onMove({ row: far }),
      PageUp: () => onMove({ slice: far }),
      PageDown: () => onMove({ slice: -far }),
      ',': () => setFrame((choice.frame - 1 + head.frames) % head.frames),
      '.': () => setFrame((choice.frame + 1) % head.frames),
      ' ': () => head.frames > 1 && play.toggle(),
      '0': () => change({ view: wholeView(sightIn(head, choice).shown) }),
      Enter: onEnter,
      Escape: onEscape,
    }
    const act = acts[event.key]
    act?.()
    return act !== undefined
  }
}

/** The place so many samples farther; in planes of the grid it stays a voxel of the study. */
export function moved(head: Facts['head'], choice: Choice, by: By): Pick<Choice, 'place' | 'hasCursor'> {
  const { toGrid, toShown, shown, slices } = sightIn(head, choice)
  const from = toShown(choice.place)
  const step = (value: number, way: number | undefined, count: number) =>
    way === undefined ? value : Math.min(count - 1, Math.max(0, value + way))
  const place = toGrid({
    column: step(from.column, by.column, shown.width),
    row: step(from.row, by.row, shown.height),
    slice: step(from.slice, by.slice, slices),
  })
  const hasCursor = choice.hasCursor || by.slice === undefined
  return { place: choice.plane === 'oblique' ? place : nearestVoxel(head, place), hasCursor }
}

/** Keys that a view of the whole volume shares. */
export const isOfTime = ({ key }: KeyboardEvent): boolean => [',', '.', ' '].includes(key)
