/** Who may see a demand, and who takes which part in it. */
import { roles } from '@neuroloom/contract/accounts/roles'
import {
  type DemandAction,
  type DemandActor,
  type DemandState,
  nextState,
} from '@neuroloom/contract/market/states'
import { and, eq } from 'drizzle-orm'
import type { SessionUser } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Db, Tx } from '../../infra/db.ts'
import { type CaseRow, type DemandRow, demandOffers, demands, marketCases } from './tables.ts'

/** Whoever asks. */
export type Member = Pick<SessionUser, 'id' | 'role'>

/** Open demands are for everybody; later on those see one who take part, or made an offer. */
export async function requireDemand(db: Db, user: Member, id: string): Promise<DemandRow> {
  const [row] = await db.select().from(demands).where(eq(demands.id, id))
  if (!row) throw fail('demand_missing')
  const isPart = row.ownerId === user.id || row.providerId === user.id || user.role === roles.administrator
  if (row.state === 'open' || isPart) return row
  const mine = and(eq(demandOffers.demandId, id), eq(demandOffers.providerId, user.id))
  if ((await db.$count(demandOffers, mine)) === 0) throw fail('demand_missing')
  return row
}

/** With its row locked: whoever changes a demand takes it first, and after the member whose money moves. */
export async function lockDemand(tx: Tx, id: string): Promise<DemandRow> {
  const [row] = await tx.select().from(demands).where(eq(demands.id, id)).for('update')
  if (!row) throw fail('demand_missing')
  return row
}

/** The state after an action of one of the two who take part; to everybody else the demand does not exist. */
export function stepOf(
  row: DemandRow,
  { action, user }: { action: DemandAction; user: { id: string } },
): DemandState {
  const actor = partOf(row, user)
  if (actor === null) throw fail('demand_missing')
  const next = nextState(row.state, action, actor)
  if (next === null) throw fail('demand_state')
  return next
}

export function partOf(row: DemandRow, { id }: { id: string }): 'owner' | 'provider' | null {
  if (row.ownerId === id) return 'owner'
  return row.providerId === id ? 'provider' : null
}

export const isBidder = (row: DemandRow, { id, role }: Member): boolean =>
  role === roles.provider && row.ownerId !== id

/** As whom somebody may act on it. */
export function actorsOf(row: DemandRow, user: Member): DemandActor[] {
  const part = partOf(row, user)
  if (part) return isBidder(row, user) ? [part, 'bidder'] : [part]
  return isBidder(row, user) ? ['bidder'] : []
}

/** Public cases are for everybody, others for their provider alone. */
export async function requireCase(
  db: Db,
  { id: readerId }: Pick<Member, 'id'>,
  id: string,
): Promise<CaseRow> {
  const [row] = await db.select().from(marketCases).where(eq(marketCases.id, id))
  if (!row || !(row.isPublic || row.providerId === readerId)) throw fail('case_missing')
  return row
}
