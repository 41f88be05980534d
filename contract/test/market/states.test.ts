import { partsOf, releasedOf, shareOfRelease } from '@neuroloom/contract/market/parts'
import {
  type DemandState,
  demandActions,
  demandActors,
  demandStates,
  nextState,
} from '@neuroloom/contract/market/states'
import { feeOf } from '@neuroloom/contract/membership/money'
import { mulberry32 } from '@neuroloom/contract/statistics/random'
import { describe, expect, it } from 'vitest'

/** Every transition that there is: state, action, who, and where to. All others are refused. */
const allowed = [
  ['open', 'edit', 'owner', 'open'],
  ['open', 'offer', 'bidder', 'open'],
  ['open', 'withdraw', 'owner', 'withdrawn'],
  ['open', 'assign', 'payment', 'assigned'],
  ['assigned', 'deliver', 'provider', 'delivered'],
  ['assigned', 'dispute', 'owner', 'disputed'],
  ['assigned', 'dispute', 'provider', 'disputed'],
  ['assigned', 'give_up', 'provider', 'closed'],
  ['delivered', 'send_back', 'owner', 'assigned'],
  ['delivered', 'accept_part', 'owner', 'assigned'],
  ['delivered', 'accept', 'owner', 'accepted'],
  ['delivered', 'dispute', 'owner', 'disputed'],
  ['delivered', 'dispute', 'provider', 'disputed'],
  ['delivered', 'give_up', 'provider', 'closed'],
  ['accepted', 'rate', 'owner', 'closed'],
  ['disputed', 'decide', 'administrator', 'closed'],
] as const satisfies readonly (readonly [DemandState, string, string, DemandState])[]

describe('the states of a demand', () => {
  it('change by the transitions of the table and by no others, whoever acts', () => {
    const found = demandStates.flatMap((state) =>
      demandActions.flatMap((action) =>
        demandActors.flatMap((actor) => {
          const next = nextState(state, action, actor)
          return next === null ? [] : [[state, action, actor, next].join(' ')]
        }),
      ),
    )
    expect(found.sort()).toEqual(allowed.map((one) => one.join(' ')).sort())
  })

  it('all end: from every state some way leads to one that nothing leaves', () => {
    const ends = demandStates.filter((state) => !allowed.some(([from]) => from === state))
    expect(ends).toEqual(['closed', 'withdrawn'])
    const reaches = (state: DemandState, seen: readonly DemandState[] = []): boolean =>
      ends.includes(state) ||
      allowed.some(([from, , , to]) => from === state && !seen.includes(to) && reaches(to, [...seen, state]))
    expect(demandStates.filter((state) => !reaches(state))).toEqual([])
  })
})

describe('the parts of a price', () => {
  it('are its milestones, or all of it at once', () => {
    expect(partsOf({ priceFen: 1000, milestones: [] })).toEqual([1000])
    const milestones = [
      { title: 'Draft', priceFen: 400 },
      { title: 'Final', priceFen: 600 },
    ]
    expect(partsOf({ priceFen: 1000, milestones })).toEqual([400, 600])
    expect([0, 1, 2].map((accepted) => releasedOf([400, 600], accepted))).toEqual([0, 400, 1000])
  })

  it('together cost the fee of the whole, rounded once, however the price is divided', () => {
    const random = mulberry32(33)
    let wrong = 0
    for (let round = 0; round < 20_000; round += 1) {
      const parts = Array.from(
        { length: 1 + Math.floor(random() * 6) },
        () => 1 + Math.floor(random() * 9999),
      )
      let released = 0
      let provider = 0
      let fees = 0
      for (const amount of parts) {
        const { providerFen, feeFen } = shareOfRelease(released, amount)
        if (providerFen < 0 || feeFen < 0 || providerFen + feeFen !== amount) wrong += 1
        released += amount
        provider += providerFen
        fees += feeFen
      }
      if (fees !== feeOf(released) || provider !== released - feeOf(released)) wrong += 1
    }
    expect(wrong).toBe(0)
  })
})
