import type { MarkKind } from '@neuroloom/contract/image-view'
import { useCallback, useContext, useMemo, useReducer, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Mark, type MarkDeed, marksAfter, noMarks } from './marks.ts'
import type { Row } from './marks-csv.ts'
import { type Measured, measure } from './measured.ts'
import { SharedMarksContext } from './shared-marks.ts'
import type { Surface } from './surface.ts'

type Options = {
  surface: Surface | null
  /** From the address that the image was opened by. */
  first: { marks: readonly Mark[]; kind: MarkKind | null }
}

/** What is measured on an image: the marks with what they say, and what the next one will be. */
export function useMeasuring({ surface, first }: Options) {
  const { t } = useTranslation('viewer')
  const shared = useContext(SharedMarksContext)
  const [own, tellOwn] = useReducer(marksAfter, { ...noMarks, list: first.marks })
  const marks = shared ? { ...noMarks, list: shared.list } : own
  const tell = shared?.change ?? tellOwn
  const [kind, setKind] = useState<MarkKind | null>(first.kind)
  const [selected, select] = useState<number | null>(null)
  // Marks never change, nor does the image below them: what one says is worked out once.
  const known = useRef(new WeakMap<Mark, Measured>())
  const gridOf = surface?.gridOf
  const rows = useMemo(
    () =>
      gridOf === undefined
        ? []
        : marks.list.map((mark): Row => {
            const measured = known.current.get(mark) ?? measure(mark, gridOf(mark))
            known.current.set(mark, measured)
            const name = mark.name || t(`mark.${mark.kind}`, { number: mark.number })
            return { mark, name, measured }
          }),
    [marks.list, gridOf, t],
  )
  const change = useCallback(
    (deed: MarkDeed) => {
      tell(deed)
      if (deed.deed === 'remove' || deed.deed === 'clear') select(null)
    },
    [tell],
  )
  const canSet = shared?.canSet ?? true
  return {
    rows,
    marks: marks.list,
    canUndo: marks.past.length > 0,
    canRedo: marks.future.length > 0,
    change,
    canSet,
    /** Null where marks are one's own. */
    shared,
    kind: canSet ? kind : null,
    setKind,
    selected,
    select,
  }
}

export type Measuring = ReturnType<typeof useMeasuring>
