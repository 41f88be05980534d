/** What a listing is made of: a training of one's own, and a test of it. */
import type { Answer } from '@neuroloom/contract/calls'
import type { Licence } from '@neuroloom/contract/shop/words'
import { and, count, desc, eq, inArray, isNotNull, isNull, notExists } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Caller, SessionUser } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import type { Db } from '../../infra/db.ts'
import * as networks from '../networks/service.ts'
import { projects } from '../projects/tables.ts'
import { requireLearned, requireRun, type SeenLearned } from '../runs/access.ts'
import { appliedOf, readStored } from '../runs/service.ts'
import { isLearnedRow, type RunRow, runArtifacts, runItems, runs, type StartFrom } from '../runs/tables.ts'
import { listings, listingVersions, shopClaims, type VersionRow } from './tables.ts'
import { testedOf } from './tested.ts'

/** Trainings that began with one another, looked back through at most. */
const LONGEST_CHAIN = 20
/** Whoever has such a model may pass on what was trained from it. */
const passable: readonly Licence[] = ['CC-BY-4.0', 'Apache-2.0', 'MIT']

export type Source = {
  test: RunRow
  training: SeenLearned
  version: Omit<
    VersionRow,
    | 'listingId'
    | 'number'
    | 'state'
    | 'note'
    | 'checkId'
    | 'statement'
    | 'signature'
    | 'createdAt'
    | 'verifiedAt'
  >
}

/** Everything that the shop keeps of it. Nothing of it comes from the seller's browser but which test is meant. */
export async function sourceOf(ctx: Context, user: SessionUser, testId: string): Promise<Source> {
  const test = await requireRun(ctx.db, user, testId, 'own')
  if (test.kind !== 'test' || test.parentId === null || test.tool) throw fail('test_first')
  const tested = await testedOf(ctx.db, test)
  if (!tested || tested.items === 0) throw fail('test_first')
  const training = await requireLearned(ctx.db, user, test.parentId, 'own')
  const { inputs, weightsSha256 } = await appliedOf(ctx, training)
  if (!(await isPassable(ctx.db, training.startFrom))) throw fail('model_not_own')
  const graph = inputs.networkText ?? networks.textOf(training.network)
  if (graph === null) throw fail('network_missing')
  const [weights] = await ctx.db
    .select()
    .from(runArtifacts)
    .where(and(eq(runArtifacts.runId, training.id), eq(runArtifacts.kind, 'weights')))
  const { plan, planHash, manifestSha256, recipe } = inputs
  const { network, ownNetworkName, classes, hyper, validation, startFrom } = training
  return {
    ...{ test, training },
    version: {
      ...{ runId: training.id, testId: test.id, network, networkName: ownNetworkName, graph },
      ...{ plan, planHash, classes, hyper, validation, recipe, manifestSha256, weightsSha256, startFrom },
      parameters: training.parameters ?? plan.learn,
      weightsBytes: weights?.sizeBytes ?? 0,
      learned: await learnedOf(ctx, training, manifestSha256),
      tested,
    },
  }
}

async function learnedOf(
  ctx: Context,
  { hyper, endedAt, createdAt }: SeenLearned,
  manifestSha256: string,
): Promise<VersionRow['learned']> {
  const { items } = await readStored(ctx, manifestSha256)
  const groups = new Set(items.map(({ group }) => group)).size
  return {
    items: items.length,
    // Images of one patient, and near doubles, count once.
    cases: groups,
    epochs: hyper.epochs,
    imageSize: hyper.imageSize,
    trainedAt: (endedAt ?? createdAt).toISOString(),
  }
}

/** Not where a training, or one before it, began with a model whose licence keeps it with its buyer. */
async function isPassable(db: Db, first: StartFrom | null): Promise<boolean> {
  let earlier = first
  for (let back = 0; earlier && back < LONGEST_CHAIN; back += 1) {
    if (earlier.model) {
      const [listing] = await db.select().from(listings).where(eq(listings.id, earlier.id))
      if (!listing || !passable.includes(listing.about.licence)) return false
      return true
    }
    const [before] = await db.select({ startFrom: runs.startFrom }).from(runs).where(eq(runs.id, earlier.id))
    // What a training that is gone began with, nobody knows: the training itself was the member's own.
    earlier = before?.startFrom ?? null
  }
  return earlier === null
}

const trainings = alias(runs, 'trainings')

/** The newest first. */
export async function candidates(
  ctx: Context,
  _body: unknown,
  { user }: Caller,
): Promise<Answer<'shop/candidates'>> {
  const rows = await ctx.db
    .select({ test: runs, training: trainings, project: projects.name })
    .from(runs)
    .innerJoin(trainings, eq(trainings.id, runs.parentId))
    .innerJoin(projects, eq(projects.id, runs.projectId))
    .where(
      and(
        eq(runs.userId, user.id),
        eq(runs.kind, 'test'),
        eq(runs.state, 'done'),
        isNull(runs.tool),
        isNotNull(runs.score),
        isNull(projects.recycledAt),
        // What the platform ran again is no test of the seller's.
        isNoCheck(ctx.db, listingVersions),
        isNoCheck(ctx.db, shopClaims),
      ),
    )
    .orderBy(desc(runs.endedAt), desc(runs.id))
    .limit(MOST)
  const counts = await countItems(
    ctx.db,
    rows.map(({ test }) => test.id),
  )
  const shown: Answer<'shop/candidates'>['candidates'] = []
  for (const { test, training, project } of rows) {
    if (!isLearnedRow(training) || test.score === null || test.endedAt === null) continue
    const { network: id, ownNetworkName, task } = training
    shown.push({
      ...{ testId: test.id, runId: training.id, project, task },
      ...{ runNumber: training.number, testNumber: test.number, datasetName: test.datasetName },
      network: { id, isOwn: ownNetworkName !== null, name: ownNetworkName ?? id },
      ...{ score: test.score, items: counts.get(test.id) ?? 0, endedAt: test.endedAt.toISOString() },
      isBlocked: !(await isPassable(ctx.db, training.startFrom)),
    })
  }
  return { candidates: shown }
}

const MOST = 200

const isNoCheck = (db: Db, table: typeof listingVersions | typeof shopClaims) =>
  notExists(db.select({ id: table.checkId }).from(table).where(eq(table.checkId, runs.id)))

async function countItems(db: Db, ids: string[]): Promise<Map<string, number>> {
  const rows = await db
    .select({ id: runItems.runId, count: count() })
    .from(runItems)
    .where(inArray(runItems.runId, ids))
    .groupBy(runItems.runId)
  return new Map(rows.map((row) => [row.id, row.count]))
}
