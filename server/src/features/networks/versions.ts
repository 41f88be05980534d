import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { networkFileLimits as limits } from '@neuroloom/contract/limits'
import type { NetworkVersion } from '@neuroloom/contract/networks'
import { and, asc, desc, eq, getTableColumns } from 'drizzle-orm'
import type { Caller } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import type { Db, Tx } from '../../infra/db.ts'
import { lockNetwork, requireNetwork } from './access.ts'
import { type NetworkRow, networks, networkVersions, type VersionRow } from './tables.ts'

/** How many trainings used each version of a network. */
export type CountTrainings = (db: Db, networkId: string) => Promise<Map<number, number>>
declare module '../../infra/feature.ts' {
  interface Questions {
    trainings: CountTrainings
  }
}

export async function versions(
  ctx: Context,
  { id }: Parsed<'networks/versions'>,
  { user }: Caller,
): Promise<Answer<'networks/versions'>> {
  await requireNetwork(ctx.db, user, id)
  const { text: _text, layout: _layout, ...columns } = getTableColumns(networkVersions)
  const rows = await ctx.db
    .select(columns)
    .from(networkVersions)
    .where(eq(networkVersions.networkId, id))
    .orderBy(desc(networkVersions.number))
  const runs = await trainingsOf(ctx, id)
  return { versions: rows.map((row) => shown(row, runs)) }
}

export async function version(
  ctx: Context,
  { id, number }: Parsed<'networks/version'>,
  { user }: Caller,
): Promise<Answer<'networks/version'>> {
  await requireNetwork(ctx.db, user, id)
  const row = await findVersion(ctx.db, id, number)
  if (!row) throw fail('missing')
  const { text, layout } = row
  return { ...shown(row, await trainingsOf(ctx, id)), text, layout }
}

export async function keep(
  ctx: Context,
  { id, note }: Parsed<'networks/keep'>,
  { user }: Caller,
): Promise<Answer<'networks/keep'>> {
  const kept = await ctx.db.transaction(async (tx) =>
    keepVersion(ctx, tx, { network: await lockNetwork(tx, user, id), note }),
  )
  return shown(kept, await trainingsOf(ctx, id))
}

async function trainingsOf(ctx: Context, networkId: string): Promise<Map<number, number>> {
  const sum = new Map<number, number>()
  for (const count of ctx.told('trainings'))
    for (const [version, trainings] of await count(ctx.db, networkId))
      sum.set(version, (sum.get(version) ?? 0) + trainings)
  return sum
}

/** The locked network's saved state as a version; one that the newest version already holds is not kept again. */
export async function keepVersion(
  ctx: Context,
  tx: Tx,
  { network, note }: { network: NetworkRow; note: string },
): Promise<VersionRow> {
  const { id, text, layout, parameters } = network
  const newest = await findVersion(tx, id, network.version)
  if (newest?.text === text) return note === '' ? newest : changeNote(tx, newest, note)
  await makeRoom(tx, id)
  const number = network.version + 1
  const [row] = await tx
    .insert(networkVersions)
    .values({ networkId: id, number, note, text, layout, parameters, createdAt: ctx.now() })
    .returning()
  if (!row) throw fail('internal')
  await tx.update(networks).set({ version: number }).where(eq(networks.id, id))
  return row
}

/** The oldest that nobody wrote a note for goes: runs hold their own text, and each start keeps one more. */
async function makeRoom(tx: Tx, networkId: string): Promise<void> {
  const ofNetwork = eq(networkVersions.networkId, networkId)
  if ((await tx.$count(networkVersions, ofNetwork)) < limits.versions) return
  const [oldest] = await tx
    .select({ number: networkVersions.number })
    .from(networkVersions)
    .where(and(ofNetwork, eq(networkVersions.note, '')))
    .orderBy(asc(networkVersions.number))
    .limit(1)
  if (!oldest) throw fail('network_limit', { limit: limits.versions })
  await tx.delete(networkVersions).where(and(ofNetwork, eq(networkVersions.number, oldest.number)))
}

async function changeNote(tx: Tx, { networkId, number }: VersionRow, note: string): Promise<VersionRow> {
  const [row] = await tx.update(networkVersions).set({ note }).where(at(networkId, number)).returning()
  if (!row) throw fail('internal')
  return row
}

async function findVersion(db: Db, networkId: string, number: number): Promise<VersionRow | undefined> {
  const [row] = await db.select().from(networkVersions).where(at(networkId, number))
  return row
}

const at = (networkId: string, number: number) =>
  and(eq(networkVersions.networkId, networkId), eq(networkVersions.number, number))

function shown(row: Omit<VersionRow, 'text' | 'layout'>, runs: ReadonlyMap<number, number>): NetworkVersion {
  const { number, note, parameters, createdAt } = row
  return { number, note, parameters, runs: runs.get(number) ?? 0, createdAt: createdAt.toISOString() }
}
