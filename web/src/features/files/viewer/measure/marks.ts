/** What a member has measured on an image, and what was measured before that: a list with undo. Pure. */
import { type FlatPlane, imageViews, type MarkKind, pointsOf } from '@neuroloom/contract/image-view'
import { type Point, settled } from './geometry.ts'

/** One slice at one point in time. */
export type Place = { plane: FlatPlane; slice: number; frame: number }
export const isSamePlace = (one: Place, other: Place): boolean =>
  one.plane === other.plane && one.slice === other.slice && one.frame === other.frame

export type Mark = Place & {
  /** Counted from 1 on, and never again used for another. */
  number: number
  kind: MarkKind
  /** Given by the member; '' = called by its kind and number. */
  name: string
  points: readonly Point[]
}

export const isOutline = (kind: MarkKind): boolean => pointsOf[kind] === null
export const NAME_LENGTH = 60

export type Marks = {
  list: readonly Mark[]
  past: readonly (readonly Mark[])[]
  future: readonly (readonly Mark[])[]
}

export const noMarks: Marks = { list: [], past: [], future: [] }

export type MarkDeed =
  | { deed: 'add'; mark: Omit<Mark, 'number' | 'name'> }
  | { deed: 'move'; number: number; points: readonly Point[] }
  | { deed: 'rename'; number: number; name: string }
  | { deed: 'remove'; number: number }
  | { deed: 'clear' }
  | { deed: 'undo' }
  | { deed: 'redo' }

export function marksAfter(marks: Marks, deed: MarkDeed): Marks {
  const { list, past, future } = marks
  const changed = (next: readonly Mark[]): Marks => ({
    list: next,
    past: [...past, list].slice(-MOST_STEPS),
    future: [],
  })
  const each = (number: number, change: Partial<Mark>): Marks =>
    changed(list.map((mark) => (mark.number === number ? { ...mark, ...change } : mark)))
  switch (deed.deed) {
    case 'add':
      return list.length >= imageViews.marks
        ? marks
        : changed([
            ...list,
            { ...deed.mark, points: deed.mark.points.map(settled), name: '', number: nextNumber(marks) },
          ])
    case 'move':
      return each(deed.number, { points: deed.points.map(settled) })
    case 'rename':
      return each(deed.number, { name: deed.name.slice(0, NAME_LENGTH) })
    case 'remove':
      return changed(list.filter(({ number }) => number !== deed.number))
    case 'clear':
      return list.length === 0 ? marks : changed([])
    case 'undo': {
      const before = past.at(-1)
      return before ? { list: before, past: past.slice(0, -1), future: [list, ...future] } : marks
    }
    case 'redo': {
      const [after, ...rest] = future
      return after ? { list: after, past: [...past, list], future: rest } : marks
    }
  }
}

const MOST_STEPS = 100

const nextNumber = ({ list, past, future }: Marks): number =>
  Math.max(0, ...[list, ...past, ...future].flat().map(({ number }) => number)) + 1
