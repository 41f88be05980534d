import { dayMs } from '@neuroloom/contract/limits'
import { addYears, reckon, type Standing, type Term, worthOf } from '@neuroloom/contract/membership/offer'
import { plansAtFirst } from '@neuroloom/contract/membership/vip'
import { mulberry32 } from '@neuroloom/contract/statistics/random'
import { describe, expect, test } from 'vitest'

const now = new Date('2026-11-27T10:00:00Z')
const inDays = (days: number): Date => new Date(now.getTime() + days * dayMs)
const planOf = (level: 1 | 2 | 3 | 4) => ({ ...plansAtFirst[level - 1], level }) as Plan
type Plan = Parameters<typeof reckon>[0]
const standing = (given: Partial<Standing> = {}): Standing => ({
  ...{ level: 1, isSuper: false, validUntil: null, isComplete: true },
  ...given,
})
const kindOf = (level: 1 | 2 | 3 | 4, given: Partial<Standing>) =>
  reckon(planOf(level), { standing: standing(given), terms: [], now }).kind

describe('what buying a plan would be', () => {
  test.each([
    ['bronze, for an ordinary member', 2, {}, 'new'],
    ['bronze, for a visitor', 2, { level: 0, isComplete: false }, 'new'],
    ['gold, for a bronze member', 4, { level: 2, validUntil: inDays(9) }, 'upgrade'],
    ['gold, for a gold member', 4, { level: 4, validUntil: inDays(9) }, 'renewal'],
    ['gold, for a gold member without end', 4, { level: 4 }, 'endless'],
    ['silver, for a gold member', 3, { level: 4, validUntil: inDays(9) }, 'lower'],
    ['anything, for a super member', 4, { isSuper: true }, 'super'],
    ['the free plan, before the full form', 1, { level: 0, isComplete: false }, 'free'],
    ['the free plan, after it', 1, {}, 'held'],
    ['the free plan, for a bronze member', 1, { level: 2, validUntil: inDays(9) }, 'lower'],
  ] as const)('%s', (_, level, given, kind) => {
    expect(kindOf(level, given)).toBe(kind)
  })
})

test('a renewal begins at the end of what one has, or now where that has passed', () => {
  const of = (validUntil: Date) =>
    reckon(planOf(3), { standing: standing({ level: 3, validUntil }), terms: [], now })
  expect(of(inDays(30))).toMatchObject({ from: inDays(30), until: addYears(inDays(30), 1), creditFen: 0 })
  expect(of(inDays(-1)).from).toEqual(now)
})

test('the last day of February', () => {
  expect(addYears(new Date('2028-02-29T10:00:00Z'), 1)).toEqual(new Date('2029-03-01T10:00:00Z'))
})

test('a plan for ever is worth all of its price when one goes higher, and has no end', () => {
  const terms: Term[] = [{ level: 2, valueFen: 300_000, from: inDays(-900), until: null }]
  const forEver = { ...planOf(4), number: 0 }
  expect(reckon(forEver, { standing: standing({ level: 2 }), terms, now })).toMatchObject({
    ...{ kind: 'upgrade', creditFen: 300_000, payFen: 1_700_000, until: null },
  })
})

test('in 20,000 random careers nobody is given more than was paid, and what is taken off is never taken off twice', () => {
  const random = mulberry32(19)
  const draw = (most: number): number => Math.floor(random() * (most + 1))
  for (let career = 0; career < 20_000; career += 1) {
    let paidFen = 0
    let terms: Term[] = []
    let level = 1
    let validUntil: Date | null = null
    let at = now
    for (let step = 0; step < 6; step += 1) {
      at = new Date(at.getTime() + draw(400) * dayMs + draw(dayMs))
      if (validUntil && validUntil <= at) level = 1
      const plan = {
        level: (2 + draw(2)) as Plan['level'],
        priceFen: draw(3) === 0 ? draw(9) : draw(3_000_000),
        number: 1 + draw(2),
      }
      const offer = reckon(plan, { standing: standing({ level, validUntil }), terms, now: at })
      if (offer.kind !== 'new' && offer.kind !== 'upgrade' && offer.kind !== 'renewal') continue
      const worth = terms.reduce((sum, term) => sum + worthOf(term, at), 0)
      if (offer.payFen < 0 || offer.creditFen > worth || worth > paidFen)
        throw new Error(JSON.stringify({ offer, worth, paidFen }))
      if (offer.payFen + offer.creditFen < plan.priceFen && offer.kind !== 'renewal')
        throw new Error(`less than the price: ${JSON.stringify(offer)}`)
      paidFen += offer.payFen
      const { from, until } = offer
      if (!from || !until) throw new Error('nothing was offered')
      const term = { level: plan.level, valueFen: offer.payFen + offer.creditFen, from, until }
      terms = offer.kind === 'renewal' ? [...terms, term] : [term]
      level = plan.level
      validUntil = until
    }
  }
})
