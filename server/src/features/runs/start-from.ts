import type { Manifest } from '@neuroloom/contract/engine'
import type { Validation } from '@neuroloom/contract/suggest/hyper'
import { and, eq } from 'drizzle-orm'
import type { SessionUser } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import type { Db, Tx } from '../../infra/db.ts'
import * as networks from '../networks/service.ts'
import { requireLearned } from './access.ts'
import { readStored } from './manifests.ts'
import {
  type LearnedRow,
  planAsText,
  type RunRow,
  runArtifacts,
  runInputs,
  runs,
  type StartFrom,
} from './tables.ts'

/** Trainings that began with one another, looked back through at most. */
const LONGEST_CHAIN = 20

type Wanted = {
  id: string
  projectId: string
  task: LearnedRow['task']
  /** As text. */
  plan: string
  network: ReturnType<typeof networks.askedOf>
  validation: Validation
  manifest: Manifest
  manifestSha256: string
}

export type Begun = {
  run: { startFrom: StartFrom }
  inputs: { weightsSha256: string }
  used: (tx: Tx, run: RunRow) => Promise<void>
}

/** A training, or a model of the shop, to begin with. */
export type Earlier = Pick<RunRow, 'id' | 'number' | 'validation' | 'startFrom'> & {
  task: LearnedRow['task']
  /** Null of a model of the shop, whose name stands in `model`. */
  projectId: string | null
  model: string | null
  /** The network as it was drawn; null where it is known no more. */
  text: string | null
  /** As text. */
  plan: string
  weightsSha256: string
  manifestSha256: string
  /** In the transaction of the run that begins with it. */
  used: (tx: Tx, run: RunRow) => Promise<void>
}

/** Null where there is no such model; fails where there is one that the member has not. */
type SoldModel = (ctx: Context, user: SessionUser, id: string) => Promise<Earlier | null>
declare module '../../infra/feature.ts' {
  interface Questions {
    soldModel: SoldModel
  }
}

export const soldModel: SoldModel = async (ctx, user, id) => {
  for (const find of ctx.told('soldModel')) {
    const found = await find(ctx, user, id)
    if (found) return found
  }
  return null
}

async function earlierTraining(ctx: Context, user: SessionUser, id: string): Promise<Earlier> {
  const run = await requireLearned(ctx.db, user, id, 'view')
  const [weights] = await ctx.db
    .select()
    .from(runArtifacts)
    .where(and(eq(runArtifacts.runId, run.id), eq(runArtifacts.kind, 'weights')))
  const inputs = await inputsOf(ctx.db, run.id)
  if (run.kind !== 'train' || !weights || !inputs) throw fail('train_first')
  const { number, task, validation, startFrom, projectId } = run
  const { plan, manifestSha256, networkText } = inputs
  return {
    ...{ id, number, task, validation, startFrom, projectId, plan, manifestSha256 },
    model: null,
    // By the network as it was drawn when the earlier run was started, or as it comes with the product.
    text: networkText ?? networks.textOf(run.network),
    weightsSha256: weights.sha256,
    used: async () => {},
  }
}

/** What a run remembers of the training that it begins with; refuses one that left no weights or of which nothing fits. */
export async function beginWith(ctx: Context, user: SessionUser, wanted: Wanted): Promise<Begun> {
  const earlier = (await soldModel(ctx, user, wanted.id)) ?? (await earlierTraining(ctx, user, wanted.id))
  // The engine compares every tensor; this is known before anybody waits for it.
  if (earlier.task !== wanted.task) throw fail('weights_unfit')
  const { names, hasCommonLayer } = await ctx.aside.ask(user.id, networks.beginWork, {
    now: { network: wanted.network, plan: wanted.plan },
    earlier: { text: earlier.text, plan: earlier.plan },
  })
  if (!hasCommonLayer) throw fail('weights_unfit')
  return {
    run: {
      startFrom: {
        id: earlier.id,
        number: earlier.number,
        isSameProject: earlier.projectId === wanted.projectId,
        model: earlier.model,
        hasSeenTest: await hasSeenTest(ctx, earlier, wanted),
        ...(Object.keys(names).length > 0 ? { names } : {}),
      },
    },
    inputs: { weightsSha256: earlier.weightsSha256 },
    used: earlier.used,
  }
}

/**
 * Whether the weights know pictures that this run keeps aside. The same data split in the same way keep the same aside;
 * otherwise any picture in common may be one of them.
 */
async function hasSeenTest(ctx: Context, first: Earlier, wanted: Wanted): Promise<boolean> {
  const own = new Set(wanted.manifest.items.map(({ image }) => image))
  let earlier: Seen | null = first
  for (let back = 0; earlier && back < LONGEST_CHAIN; back += 1) {
    if (await mayHaveSeen(ctx, { earlier, wanted, own })) return true
    if (earlier.startFrom === null) return false
    earlier = await seenBefore(ctx.db, earlier.startFrom)
  }
  // What a deleted training learned from is not known any more.
  return true
}

type Seen = Pick<Earlier, 'validation' | 'startFrom' | 'manifestSha256'>

/** Null where it is gone, or is a model of the shop: what that learned from is its seller's to know. */
async function seenBefore(db: Db, { id }: StartFrom): Promise<Seen | null> {
  const [run] = await db.select().from(runs).where(eq(runs.id, id))
  const inputs = run && (await inputsOf(db, id))
  return inputs ? { ...run, manifestSha256: inputs.manifestSha256 } : null
}

async function mayHaveSeen(
  ctx: Context,
  { earlier, wanted, own }: { earlier: Seen; wanted: Wanted; own: Set<string> },
): Promise<boolean> {
  const isPartedAlike =
    earlier.manifestSha256 === wanted.manifestSha256 &&
    wanted.validation.method !== 'kfold' &&
    earlier.validation !== null &&
    textOf(earlier.validation) === textOf(wanted.validation)
  if (isPartedAlike) return false
  const { items } = await readStored(ctx, earlier.manifestSha256)
  return items.some(({ image }) => own.has(image))
}

const textOf = (validation: Validation): string =>
  JSON.stringify(Object.entries(validation).sort(([one], [other]) => (one < other ? -1 : 1)))

async function inputsOf(db: Db, runId: string) {
  const { networkText, manifestSha256 } = runInputs
  const where = eq(runInputs.runId, runId)
  const [inputs] = await db
    .select({ networkText, manifestSha256, plan: planAsText })
    .from(runInputs)
    .where(where)
  return inputs
}
