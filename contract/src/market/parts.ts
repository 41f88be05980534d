/** How the price of an offer is paid out: in one sum, or milestone by milestone. Pure. */
import { feeOf } from '../membership/money.ts'

export type Milestone = { title: string; priceFen: number }

/** What each part of the price is; an offer without milestones is one part. */
export const partsOf = ({ priceFen, milestones }: { priceFen: number; milestones: readonly Milestone[] }) =>
  milestones.length === 0 ? [priceFen] : milestones.map((one) => one.priceFen)

/** What was released when so many parts are accepted. */
export const releasedOf = (parts: readonly number[], accepted: number): number =>
  parts.slice(0, accepted).reduce((sum, one) => sum + one, 0)

/**
 * What the provider and the platform get when a further amount is released. The fee is that of the whole sum so far, less
 * what was kept before: however many parts there are, 3 % of the order are rounded once.
 */
export function shareOfRelease(
  releasedFen: number,
  amountFen: number,
): { providerFen: number; feeFen: number } {
  const feeNow = feeOf(releasedFen + amountFen) - feeOf(releasedFen)
  return { providerFen: amountFen - feeNow, feeFen: feeNow }
}
