import type { Three } from '@neuroloom/contract/flow/slice'
import { useState } from 'react'
import { type Choice, sightIn } from '../choice.ts'
import type { Facts } from '../numbers/asks.ts'
import { metresOf } from '../numbers/measured.ts'
import type { Place } from '../stage.tsx'
import { planeAcross, type Sections } from './use-sections.ts'

type Across = { head: Facts['head']; choice: Choice; add: Sections['add'] }

/** Two clicks on the walls of a vessel. */
export function useAcross({ head, choice, add }: Across) {
  const [picking, setPicking] = useState<'first' | 'second' | null>(null)
  const [begun, setBegun] = useState<Place | null>(null)
  const stop = () => {
    setPicking(null)
    setBegun(null)
  }
  return {
    picking,
    begun,
    stop,
    toggle: () => (picking ? stop() : setPicking('first')),
    pick(at: Place) {
      if (begun === null) {
        setBegun(at)
        setPicking('second')
        return
      }
      const { away, toGrid, toShown } = sightIn(head, choice)
      const { slice } = toShown(choice.place)
      const metres = metresOf(head)
      const [from, to] = [begun, at].map((one) =>
        toGrid({ ...one, slice }).map((value, axis) => value * (metres[axis] ?? 0)),
      )
      const placed = from && to ? planeAcross({ from, to, away }) : null
      if (placed) add(placed)
      stop()
    },
  }
}

/** Metres: an aorta, where a circle is asked for. */
const START_RADIUS = 0.012

/** The present slice, around the cursor. */
export function planeHere(head: Facts['head'], choice: Choice) {
  const metres = metresOf(head)
  const { place } = choice
  const centre: Three = [place[0] * metres[0], place[1] * metres[1], place[2] * metres[2]]
  return { plane: { centre, normal: sightIn(head, choice).away }, radius: START_RADIUS }
}
