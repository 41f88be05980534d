import { and, eq, getTableColumns } from 'drizzle-orm'
import type { SessionUser } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Db, Tx } from '../../infra/db.ts'
import { type NetworkRow, networks } from './tables.ts'

type Owner = Pick<SessionUser, 'id'>

/** The own network; `network_missing` for foreign and unknown ones alike. */
export async function requireNetwork(db: Db, user: Owner, id: string): Promise<NetworkRow> {
  const network = await findOwn(db, user, id)
  if (!network) throw fail('network_missing')
  return network
}

/** The same, and nobody else changes it before the transaction ends. */
export async function lockNetwork(tx: Tx, user: Owner, id: string): Promise<NetworkRow> {
  const [network] = await tx.select().from(networks).where(ownedBy(user, id)).for('update')
  if (!network) throw fail('network_missing')
  return network
}

export async function findOwn(db: Db, user: Owner, id: string): Promise<NetworkRow | undefined> {
  const [network] = await db.select().from(networks).where(ownedBy(user, id))
  return network
}

export const ownedBy = (user: Owner, id: string) => and(eq(networks.id, id), eq(networks.ownerId, user.id))

const { text: _text, layout: _layout, ...described } = getTableColumns(networks)
/** What lists show: texts may have a megabyte each. */
export const description = described
export type NetworkDescription = Omit<NetworkRow, 'text' | 'layout'>
