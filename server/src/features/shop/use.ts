/** What a model that one has is used for: a prediction, the beginning of a training, its network; and a try on own images. */
import { createHash } from 'node:crypto'
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import type { Manifest } from '@neuroloom/contract/engine'
import { shop as limits } from '@neuroloom/contract/limits'
import { and, eq, gt, sql } from 'drizzle-orm'
import type { Caller, SessionUser } from '../../http/access.ts'
import { Failure, fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import type { Tx } from '../../infra/db.ts'
import { newId } from '../../infra/ids.ts'
import { createFrom } from '../networks/service.ts'
import { type Applied, type Earlier, predictByTool, showRun, testLent } from '../runs/service.ts'
import type { RunRow } from '../runs/tables.ts'
import { type Model, newest, requireDevice, requireHeld, requireListing } from './access.ts'
import { listings, shopUses, type VersionRow } from './tables.ts'

/** A copy of its network, to be changed and trained anew; the weights stay here. */
export async function open(
  ctx: Context,
  { id }: Parsed<'shop/open'>,
  caller: Caller,
): Promise<Answer<'shop/open'>> {
  const { listing, version } = await requireHeld(ctx, caller.user, id)
  const { id: networkId } = await createFrom(ctx, { name: listing.name, text: version.graph }, caller)
  await keepTaken(ctx, caller.user, version)
  return { networkId }
}

export async function predict(
  ctx: Context,
  { id, ...where }: Parsed<'shop/predict'>,
  { user }: Caller,
): Promise<Answer<'shop/predict'>> {
  const { listing, version } = await requireHeld(ctx, user, id)
  const run = await predictByTool(ctx, user, {
    ...where,
    tool: { id: listing.id, name: listing.name },
    network: appliedBy({ listing, version }),
    also: (tx, queued) => keepUse(ctx, tx, { user, run: queued, version, kind: 'predict' }),
  })
  return showRun(ctx.db, run.id)
}

/** On all images of an own data set. How often these very images were looked at before is counted over all models. */
export async function drive(
  ctx: Context,
  { id, projectId, datasetId }: Parsed<'shop/drive'>,
  { user }: Caller,
): Promise<Answer<'shop/drive'>> {
  const listing = await requireListing(ctx, user, id)
  if (listing.state !== 'listed' && listing.sellerId !== user.id) throw fail('listing_closed')
  requireDevice(ctx, user)
  const version = await newest(ctx.db, listing)
  const tool = { id: listing.id, name: listing.name }
  const network = appliedBy({ listing, version })
  const run = await testLent(
    ctx,
    user,
    { tool, network, projectId, datasetId },
    async (tx, tried, manifest) => {
      // Two at once see each other.
      await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`shop drives ${user.id}`}, 0))`)
      await requireCalm(ctx, tx, { user, id })
      const images = digestOf(manifest)
      const looks = await tx.$count(shopUses, and(eq(shopUses.userId, user.id), eq(shopUses.images, images)))
      await keepUse(ctx, tx, { user, run: tried, version, kind: 'drive', images, looks })
    },
  )
  return showRun(ctx.db, run.id)
}

async function requireCalm(
  ctx: Context,
  tx: Tx,
  { user, id }: { user: SessionUser; id: string },
): Promise<void> {
  const since = new Date(ctx.now().getTime() - limits.drivesMs)
  const recent = and(
    eq(shopUses.userId, user.id),
    eq(shopUses.listingId, id),
    eq(shopUses.kind, 'drive'),
    gt(shopUses.at, since),
  )
  if ((await tx.$count(shopUses, recent)) >= limits.drives)
    throw fail('drives_limit', { limit: limits.drives })
}

/** The same images are the same set, in whichever order and by whichever classes. */
const digestOf = ({ items }: Manifest): string =>
  createHash('sha256')
    .update(
      items
        .map(({ image }) => image)
        .sort()
        .join(),
    )
    .digest('hex')

/** For the start of a training: null where the shop knows no such model. */
export async function soldModel(ctx: Context, user: SessionUser, id: string): Promise<Earlier | null> {
  const [row] = await ctx.db.select({ id: listings.id }).from(listings).where(eq(listings.id, id))
  if (!row) return null
  const { listing, version } = await requireHeld(ctx, user, id).catch((error: unknown) => {
    // Whether there is such a model is not told to whoever may not see it.
    throw error instanceof Failure && error.failure === 'listing_missing' ? fail('model_not_bought') : error
  })
  const { validation, startFrom, manifestSha256, weightsSha256 } = version
  return {
    ...{ id, number: version.number, task: listing.task, projectId: null, model: listing.name },
    ...{ validation, startFrom, manifestSha256, weightsSha256 },
    text: version.graph,
    plan: JSON.stringify(version.plan),
    used: (tx, run) => keepUse(ctx, tx, { user, run, version, kind: 'train' }),
  }
}

const appliedBy = ({ listing, version }: Model): Applied => {
  const { classes, hyper, validation, plan, planHash, manifestSha256, recipe, weightsSha256 } = version
  return {
    ...{ task: listing.task, classes, hyper, validation, weightsSha256 },
    inputs: { plan, planHash, networkText: null, manifestSha256, recipe },
  }
}

/** What was taken away is used: it cannot be given back as bought by mistake. */
export const keepTaken = (ctx: Context, user: SessionUser, version: VersionRow): Promise<void> =>
  ctx.db.transaction((tx) => keepUse(ctx, tx, { user, run: null, version, kind: 'taken' }))

type Use = Pick<typeof shopUses.$inferInsert, 'kind' | 'images' | 'looks'> & {
  user: SessionUser
  run: RunRow | null
  version: VersionRow
}

async function keepUse(ctx: Context, tx: Tx, { user, run, version, ...use }: Use): Promise<void> {
  const { listingId, number } = version
  await tx.insert(shopUses).values({
    ...use,
    ...{ id: newId(), listingId, version: number, userId: user.id },
    ...{ runId: run?.id ?? null, projectId: run?.projectId ?? null },
    at: ctx.now(),
  })
}
