import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { canDownloadPicture, networkFileLimits as limits } from '@neuroloom/contract/limits'
import { emptyLayout } from '@neuroloom/contract/network/layout/file'
import type { NetworkFile, OwnNetwork } from '@neuroloom/contract/networks'
import { and, desc, eq, sql } from 'drizzle-orm'
import type { Caller, SessionUser } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import type { Db, Tx } from '../../infra/db.ts'
import { newId } from '../../infra/ids.ts'
import { standingOf } from '../plans/service.ts'
import { description, lockNetwork, type NetworkDescription, ownedBy, requireNetwork } from './access.ts'
import { examine } from './reader.ts'
import { type NetworkRow, networks } from './tables.ts'

export async function mine(ctx: Context, _body: unknown, { user }: Caller): Promise<Answer<'networks/mine'>> {
  return { networks: await listOwn(ctx.db, user), most: limits.networks }
}

/** Own networks whose name holds the text, the newest first. Nobody has many, so they are compared here. */
export async function findOwn(
  db: Db,
  user: Pick<SessionUser, 'id'>,
  { text, limit }: { text: string; limit: number },
): Promise<{ id: string; name: string }[]> {
  const rows = await db
    .select({ id: networks.id, name: networks.name })
    .from(networks)
    .where(eq(networks.ownerId, user.id))
    .orderBy(desc(networks.updatedAt), desc(networks.id))
  const wanted = text.normalize('NFC').toLowerCase().trim()
  return rows.filter(({ name }) => name.toLowerCase().includes(wanted)).slice(0, limit)
}

export async function create(
  ctx: Context,
  { name, text, layout = emptyLayout }: Parsed<'networks/create'>,
  { user }: Caller,
): Promise<Answer<'networks/create'>> {
  const counts = await examine(ctx, user.id, text)
  return fileOf(ctx, user, await insert(ctx, user, { ...counts, name, text, layout }))
}

export async function open(
  ctx: Context,
  { id }: Parsed<'networks/open'>,
  { user }: Caller,
): Promise<Answer<'networks/open'>> {
  return fileOf(ctx, user, await requireNetwork(ctx.db, user, id))
}

export async function save(
  ctx: Context,
  { id, revision, text, layout }: Parsed<'networks/save'>,
  { user }: Caller,
): Promise<Answer<'networks/save'>> {
  const counts = await examine(ctx, user.id, text)
  return ctx.db.transaction(async (tx) => {
    const { revision: newest } = await lockNetwork(tx, user, id)
    if (revision !== newest) throw fail('network_changed', { revision: newest })
    // Other windows of the member, which have it open, learn at once that their state is an older one.
    await ctx.live.passing({ kind: 'user', id: user.id }, 'network', { id, revision: newest + 1 }, tx)
    return change(tx, id, { ...counts, text, layout, revision: newest + 1, updatedAt: ctx.now() })
  })
}

export async function rename(
  ctx: Context,
  { id, name }: Parsed<'networks/rename'>,
  { user }: Caller,
): Promise<Answer<'networks/rename'>> {
  await requireNetwork(ctx.db, user, id)
  return change(ctx.db, id, { name: name.normalize('NFC'), updatedAt: ctx.now() })
}

/** Without the versions: a copy begins its own. */
export async function copy(
  ctx: Context,
  { id, name }: Parsed<'networks/copy'>,
  { user }: Caller,
): Promise<Answer<'networks/copy'>> {
  const { task, text, layout, parameters, macs, mistakes } = await requireNetwork(ctx.db, user, id)
  return shown(await insert(ctx, user, { task, text, layout, parameters, macs, mistakes, name }))
}

export async function remove(
  ctx: Context,
  { id }: Parsed<'networks/remove'>,
  { user }: Caller,
): Promise<Answer<'networks/remove'>> {
  const removed = await ctx.db.delete(networks).where(ownedBy(user, id)).returning({ id: networks.id })
  if (removed.length === 0) throw fail('network_missing')
  return {}
}

/** Newest first; of one task only those without a mistake, because these can be trained. */
export async function listOwn(db: Db, user: Pick<SessionUser, 'id'>, task?: string): Promise<OwnNetwork[]> {
  const isTrainable = task === undefined ? undefined : and(eq(networks.task, task), eq(networks.mistakes, 0))
  const rows = await db
    .select(description)
    .from(networks)
    .where(and(eq(networks.ownerId, user.id), isTrainable))
    .orderBy(desc(networks.updatedAt), desc(networks.id))
  return rows.map(shown)
}

type New = Pick<NetworkRow, 'name' | 'task' | 'text' | 'layout' | 'parameters' | 'macs' | 'mistakes'>

async function insert(ctx: Context, user: SessionUser, network: New): Promise<NetworkRow> {
  return ctx.db.transaction(async (tx) => {
    await requireRoom(tx, user)
    const now = ctx.now()
    const [row] = await tx
      .insert(networks)
      .values({
        ...network,
        id: newId(),
        ownerId: user.id,
        name: network.name.normalize('NFC'),
        createdAt: now,
        updatedAt: now,
      })
      .returning()
    if (!row) throw fail('internal')
    return row
  })
}

/** Also makes a member's creations queue up, so that the limit is exact. */
async function requireRoom(tx: Tx, user: SessionUser): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`networks ${user.id}`}, 0))`)
  const owned = await tx.$count(networks, eq(networks.ownerId, user.id))
  if (owned >= limits.networks) throw fail('network_limit', { limit: limits.networks })
}

async function change(
  db: Db,
  id: string,
  values: Partial<Omit<NetworkRow, 'id' | 'ownerId'>>,
): Promise<OwnNetwork> {
  const [row] = await db.update(networks).set(values).where(eq(networks.id, id)).returning(description)
  if (!row) throw fail('network_missing')
  return shown(row)
}

function fileOf(ctx: Context, user: SessionUser, row: NetworkRow): NetworkFile {
  return {
    ...shown(row),
    text: row.text,
    layout: row.layout,
    mayDownloadPicture: canDownloadPicture(standingOf(ctx, user)),
  }
}

function shown(row: NetworkDescription): OwnNetwork {
  const { id, name, task, revision, version, parameters, macs, mistakes } = row
  return {
    ...{ id, name, task, revision, version, parameters, macs, mistakes },
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}
