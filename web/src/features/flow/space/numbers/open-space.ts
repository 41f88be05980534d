/** What the 3D view asks of an open study. Runs in the worker; knows no page. */
import type { Asks, MaskChoice } from '../../viewer/numbers/asks.ts'
import { type Measured, metresOf } from '../../viewer/numbers/measured.ts'
import { remembered } from '../../viewer/numbers/remembered.ts'
import { turnedField } from './field.ts'
import { hullOf } from './hull.ts'
import { pathsFrom } from './paths.ts'
import { seedsIn, streamsIn } from './streams.ts'

type Masked = { mask: Uint8Array | null; reference: number }
type Answers<Kind extends keyof Asks> = (ask: Asks[Kind]['ask']) => Asks[Kind]['answer']
export type Space = { space: Answers<'space'>; paths: Answers<'paths'>; hull: Answers<'hull'> }

export function openSpace(measured: Measured, maskOf: (choice: MaskChoice) => Masked): Space {
  const { head } = measured
  const makeSeeds = remembered(({ mask, density, seed }: Omit<Asks['space']['ask'], 'frame'>) =>
    seedsIn(measured, { mask: maskOf(mask).mask, density, seed }),
  )
  const makeFields = remembered((choice: MaskChoice) => {
    const { mask } = maskOf(choice)
    return Array.from({ length: head.frames }, (_, frame) => turnedField(measured, frame, mask))
  })
  return {
    space({ mask: choice, frame, density, seed }) {
      const { mask, reference } = maskOf(choice)
      const seeds = makeSeeds({ mask: choice, density, seed })
      return seeds === null ? 'too_many' : streamsIn(measured, { mask, frame, reference, seeds })
    },
    paths: ({ mask, ...ask }) =>
      pathsFrom(head, { ...ask, fields: makeFields(mask), reference: maskOf(mask).reference }),
    hull: ({ mask: choice }) => {
      const { mask } = maskOf(choice)
      return mask && hullOf(mask, { size: head.size, spacing: metresOf(head) })
    },
  }
}
