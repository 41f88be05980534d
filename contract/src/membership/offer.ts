/** What buying a plan would be for one member at one moment: price, what is taken off, and until when. Pure. */
import { dayMs, membership as limits } from '../limits.ts'
import { unusedOf } from './money.ts'
import type { OfferKind, Plan } from './vip.ts'

/** A plan that was bought and counts still. */
export type Term = {
  level: number
  /** What was given for it, what was taken off for the plan before included. */
  valueFen: number
  from: Date
  /** Null = for ever. */
  until: Date | null
}

export type Standing = {
  /** The level that counts at that moment. */
  level: number
  isSuper: boolean
  /** Until when that level is; null = without end. */
  validUntil: Date | null
  /** The full form is complete. */
  isComplete: boolean
}

export type Reckoned = {
  kind: OfferKind
  creditFen: number
  payFen: number
  from: Date | null
  until: Date | null
  extraDays: number
}

const ORDINARY = 1
const DAYS_A_YEAR = 365

/**
 * A renewal begins at the end of what one has, an upgrade today (design 4.18): the unused days of all that was bought and
 * lasts still are taken off, and where they are worth more than the price, the rest becomes days on top.
 */
export function reckon(
  plan: Pick<Plan, 'level' | 'priceFen' | 'number'>,
  { standing, terms, now }: { standing: Standing; terms: readonly Term[]; now: Date },
): Reckoned {
  const kind = kindOf(plan, standing)
  const nothing = { creditFen: 0, payFen: plan.priceFen, from: null, until: null, extraDays: 0 }
  if (kind === 'renewal') {
    const from = standing.validUntil && standing.validUntil > now ? standing.validUntil : now
    return { ...nothing, kind, from, until: plan.number === 0 ? null : addYears(from, plan.number) }
  }
  if (kind !== 'new' && kind !== 'upgrade') return { ...nothing, kind }
  const creditFen = terms.reduce((sum, term) => sum + worthOf(term, now), 0)
  const until = plan.number === 0 ? null : addYears(now, plan.number)
  const rest = creditFen - plan.priceFen
  const extraDays = until && rest > 0 && plan.priceFen > 0 ? daysFor(rest, { ...plan, from: now, until }) : 0
  return {
    kind,
    creditFen,
    payFen: Math.max(0, -rest),
    from: now,
    until: until && new Date(until.getTime() + extraDays * dayMs),
    extraDays,
  }
}

function kindOf(
  { level }: Pick<Plan, 'level'>,
  { level: held, isSuper, validUntil, isComplete }: Standing,
): OfferKind {
  if (isSuper) return 'super'
  if (level < held) return 'lower'
  if (level === ORDINARY) return held === ORDINARY && isComplete ? 'held' : 'free'
  if (level > held) return held > ORDINARY ? 'upgrade' : 'new'
  return validUntil === null ? 'endless' : 'renewal'
}

/** A plan for ever loses nothing by the days. */
export const worthOf = ({ valueFen, from, until }: Term, now: Date): number =>
  until === null ? valueFen : unusedOf({ paidFen: valueFen, from, until }, now)

/** Whole days that so much buys at the price of the plan, rounded down; of a plan that costs next to nothing, no ages. */
function daysFor(
  fen: number,
  { priceFen, from, until }: { priceFen: number; from: Date; until: Date },
): number {
  const days = BigInt(Math.round((until.getTime() - from.getTime()) / dayMs))
  const most = limits.mostYears * DAYS_A_YEAR
  return Math.min(most, Number((BigInt(fen) * days) / BigInt(priceFen)))
}

/** The same day so many years later, in UTC; 29 February becomes 1 March. */
export function addYears(from: Date, years: number): Date {
  const until = new Date(from)
  until.setUTCFullYear(from.getUTCFullYear() + years)
  return until
}
