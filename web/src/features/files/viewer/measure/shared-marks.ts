/** Marks that several people set on one image: the list comes from outside, and changes are told there. */
import type { MarkKind } from '@neuroloom/contract/image-view'
import { createContext } from 'react'
import type { Mark, MarkDeed } from './marks.ts'

export type SharedMarks = {
  list: readonly Mark[]
  /** All but undoing: what others did meanwhile is not to be undone. */
  change: (deed: MarkDeed) => void
  /** Whether whoever looks may set marks at all. */
  canSet: boolean
  canChange: (mark: Mark) => boolean
  canRemove: (mark: Mark) => boolean
  authorOf: (mark: Mark) => string
  nameLength: number
  /** Which are offered. */
  kinds: readonly MarkKind[]
}

/** Null where marks are one's own. */
export const SharedMarksContext = createContext<SharedMarks | null>(null)
