import { asc, eq } from 'drizzle-orm'
import { fileName } from '../../http/bytes.ts'
import { type ArchivedFile, freeNames, jsonFile } from '../../infra/archive.ts'
import type { Context } from '../../infra/context.ts'
import { networks, networkVersions } from './tables.ts'

/** Each network with its kept versions. */
export async function* exportOf(ctx: Context, userId: string): AsyncIterable<ArchivedFile> {
  const freeName = freeNames()
  const own = await ctx.db
    .select({ id: networks.id })
    .from(networks)
    .where(eq(networks.ownerId, userId))
    .orderBy(asc(networks.createdAt), asc(networks.id))
  for (const { id } of own) {
    // One at a time: each holds texts of its own.
    const [row] = await ctx.db.select().from(networks).where(eq(networks.id, id))
    if (!row) continue
    const { ownerId: _, ...network } = row
    const versions = await versionsOf(ctx, id)
    yield jsonFile(`networks/${freeName(`${fileName(network.name)}.json`)}`, { ...network, versions })
  }
}

async function versionsOf(ctx: Context, id: string): Promise<object[]> {
  const rows = await ctx.db
    .select()
    .from(networkVersions)
    .where(eq(networkVersions.networkId, id))
    .orderBy(asc(networkVersions.number))
  return rows.map(({ networkId: _, ...version }) => version)
}
