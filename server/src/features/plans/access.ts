import type { Answer } from '@neuroloom/contract/calls'
import { type PlanLimits, sharing } from '@neuroloom/contract/limits'
import { type SharedKind, sharedKinds } from '@neuroloom/contract/membership/counted'
import { eq } from 'drizzle-orm'
import type { Caller } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import type { Db, Tx } from '../../infra/db.ts'
import { users } from '../accounts/tables.ts'
import { limitsOf, standingOf } from './service.ts'

/** Something of a member that somebody else has. */
export type SharedThing = {
  kind: SharedKind
  /** The same for the same thing, however often and by whichever way it is shared. */
  key: string
  /** The key of what it was made of: that is the same thing, when it is shared beside it. */
  madeOf?: string
  /** What it may be asked for by: itself, and the projects that it leaves by. */
  ids: string[]
  since: Date
}
export type SharedThings = (ctx: Context, db: Db, ownerId: string) => Promise<SharedThing[]>
declare module '../../infra/feature.ts' {
  interface Questions {
    /** What of a member others have. */
    sharedThings: SharedThings
  }
}

/**
 * Refuses what was just written when by it the thing with this id, or one of those that the project with this id holds,
 * would be shared beyond its owner's level. The owner's row is locked until the end, so of many at once exactly those
 * that fit go through. Where a level fell, the newest things are those beyond it: whoever has them keeps them, and
 * nobody else gets them. What comes back from where it did not count is as new, since whenever it was shared.
 */
export async function requireRoomToShare(
  ctx: Context,
  tx: Tx,
  { ownerId, id, comesBack = false }: { ownerId: string; id: string; comesBack?: boolean },
): Promise<void> {
  const [owner] = await tx.select().from(users).where(eq(users.id, ownerId)).for('no key update')
  if (!owner) throw fail('not_allowed')
  const limits = limitsOf(ctx, owner)
  if (sharedKinds.every((kind) => limits[limitNames[kind]] === null)) return
  const things = await sharedBy(ctx, tx, ownerId)
  for (const kind of sharedKinds) {
    const limit = limits[limitNames[kind]]
    const ofKind = things.filter((thing) => thing.kind === kind)
    const isMeant = ({ ids }: SharedThing): boolean => ids.includes(id)
    if (limit === null || ofKind.length <= limit) continue
    // Of two calls at once the later one may bear the earlier time: what is new is beyond, wherever it stands.
    const isNew = ({ since }: SharedThing): boolean =>
      comesBack || since.getTime() > ctx.now().getTime() - freshMs
    if (!ofKind.some((thing, place) => isMeant(thing) && (place >= limit || isNew(thing)))) continue
    const used = ofKind.filter((thing) => !isMeant(thing)).length
    const { vipLevel: level } = standingOf(ctx, owner)
    throw fail(`shared_${kind}_limit`, { used, total: ofKind.length, limit, level })
  }
}

export async function shared(
  ctx: Context,
  _body: unknown,
  { user }: Caller,
): Promise<Answer<'plans/shared'>> {
  const { datasets, models } = await countShared(ctx, user.id)
  const limits = limitsOf(ctx, user)
  return {
    datasets: { used: datasets, limit: limits.sharedDatasets },
    models: { used: models, limit: limits.sharedModels },
  }
}

export async function countShared(ctx: Context, ownerId: string): Promise<Record<SharedKind, number>> {
  const things = await sharedBy(ctx, ctx.db, ownerId)
  const countOf = (kind: SharedKind) => things.filter((thing) => thing.kind === kind).length
  return { datasets: countOf('datasets'), models: countOf('models') }
}

const { freshMs } = sharing

const limitNames = { datasets: 'sharedDatasets', models: 'sharedModels' } satisfies Record<
  SharedKind,
  keyof PlanLimits
>

/** Each once, with what waits in the recycle station; those shared longest first. */
async function sharedBy(ctx: Context, db: Db, ownerId: string): Promise<SharedThing[]> {
  const found: SharedThing[] = []
  // One after the other: a transaction is one connection.
  for (const of of ctx.told('sharedThings')) found.push(...(await of(ctx, db, ownerId)))
  const byKey = new Map<string, SharedThing>()
  const keep = (thing: SharedThing): void => {
    const known = byKey.get(thing.key)
    byKey.set(thing.key, known ? merged(known, thing) : thing)
  }
  for (const thing of found) keep(thing)
  for (const thing of [...byKey.values()]) {
    const origin = byKey.get(thing.madeOf ?? '')
    if (!origin) continue
    byKey.delete(origin.key)
    keep({ ...origin, key: thing.key })
  }
  return [...byKey.values()].sort(
    (one, other) => one.since.getTime() - other.since.getTime() || (one.key < other.key ? -1 : 1),
  )
}

const merged = (one: SharedThing, other: SharedThing): SharedThing => ({
  ...one,
  ids: [...one.ids, ...other.ids],
  since: one.since < other.since ? one.since : other.since,
})
