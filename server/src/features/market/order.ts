/** An assigned demand with what was ordered: its offer, its parts, and what of the money is still held. */
import { partsOf, releasedOf } from '@neuroloom/contract/market/parts'
import { isUnderWay } from '@neuroloom/contract/market/states'
import { eq } from 'drizzle-orm'
import type { Db } from '../../infra/db.ts'
import type { WorkEntry } from './book.ts'
import { type DemandRow, type DisputeRow, demandDisputes, demandOffers, type OfferRow } from './tables.ts'

export type Ordered = {
  demand: DemandRow
  offer: OfferRow
  providerId: string
  orderNo: string
  parts: number[]
  /** By parts that were accepted. */
  releasedFen: number
}

export async function requireOrdered(db: Db, demand: DemandRow): Promise<Ordered> {
  const { offerId, providerId, orderNo, acceptedParts } = demand
  const [offer] = await db
    .select()
    .from(demandOffers)
    .where(eq(demandOffers.id, offerId ?? ''))
  if (!offer || providerId === null || orderNo === null) throw new Error(`Nothing is ordered by ${demand.id}`)
  const parts = partsOf(offer)
  return { demand, offer, providerId, orderNo, parts, releasedFen: releasedOf(parts, acceptedParts) }
}

/** What of the price nobody has got yet; nothing once the order is over. */
export const heldOf = ({ demand, offer, releasedFen }: Ordered): number =>
  isUnderWay(demand.state) ? offer.priceFen - releasedFen : 0

/** What the books need of it. */
export const entryOf = ({ demand, providerId, orderNo }: Ordered, amountFen: number): WorkEntry => ({
  ...{ orderNo, ownerId: demand.ownerId, providerId, amountFen },
  note: { work: demand.title, demandId: demand.id },
})

export async function disputeOf(db: Db, demandId: string): Promise<DisputeRow | null> {
  const [row] = await db.select().from(demandDisputes).where(eq(demandDisputes.demandId, demandId))
  return row ?? null
}
