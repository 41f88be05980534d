import type { Manifest } from '@neuroloom/contract/engine'
import type { Validation } from '@neuroloom/contract/suggest/hyper'
import { and, eq } from 'drizzle-orm'
import type { SessionUser } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import type { Db } from '../../infra/db.ts'
import * as networks from '../networks/service.ts'
import { requireRun } from './access.ts'
import { readStored } from './manifests.ts'
import { planAsText, type RunRow, runArtifacts, runInputs, runs, type StartFrom } from './tables.ts'

/** Trainings that began with one another, looked back through at most. */
const LONGEST_CHAIN = 20

type Wanted = {
  id: string
  projectId: string
  task: RunRow['task']
  /** As text. */
  plan: string
  network: ReturnType<typeof networks.askedOf>
  validation: Validation
  manifest: Manifest
  manifestSha256: string
}

export type Begun = { run: { startFrom: StartFrom }; inputs: { weightsSha256: string } }

/** What a run remembers of the training that it begins with; refuses one that left no weights or of which nothing fits. */
export async function beginWith(ctx: Context, user: SessionUser, wanted: Wanted): Promise<Begun> {
  const earlier = await requireRun(ctx.db, user, wanted.id, 'view')
  const [weights] = await ctx.db
    .select()
    .from(runArtifacts)
    .where(and(eq(runArtifacts.runId, earlier.id), eq(runArtifacts.kind, 'weights')))
  const inputs = await inputsOf(ctx.db, earlier.id)
  if (earlier.kind !== 'train' || !weights || !inputs) throw fail('train_first')
  // The engine compares every tensor; this is known before anybody waits for it.
  if (earlier.task !== wanted.task) throw fail('weights_unfit')
  const { names, hasCommonLayer } = await ctx.aside.ask(user.id, networks.beginWork, {
    now: { network: wanted.network, plan: wanted.plan },
    // By the network as it was drawn when the earlier run was started, or as it comes with the product.
    earlier: { text: inputs.networkText ?? networks.textOf(earlier.network), plan: inputs.plan },
  })
  if (!hasCommonLayer) throw fail('weights_unfit')
  return {
    run: {
      startFrom: {
        id: earlier.id,
        number: earlier.number,
        isSameProject: earlier.projectId === wanted.projectId,
        hasSeenTest: await hasSeenTest(ctx, earlier, wanted),
        ...(Object.keys(names).length > 0 ? { names } : {}),
      },
    },
    inputs: { weightsSha256: weights.sha256 },
  }
}

/**
 * Whether the weights know pictures that this run keeps aside. The same data split in the same way keep the same aside;
 * otherwise any picture in common may be one of them.
 */
async function hasSeenTest(ctx: Context, first: RunRow, wanted: Wanted): Promise<boolean> {
  const own = new Set(wanted.manifest.items.map(({ image }) => image))
  let earlier: RunRow | undefined = first
  for (let back = 0; earlier && back < LONGEST_CHAIN; back += 1) {
    const inputs = await inputsOf(ctx.db, earlier.id)
    if (!inputs || (await mayHaveSeen(ctx, { earlier, inputs, wanted, own }))) return true
    if (earlier.startFrom === null) return false
    const [before]: RunRow[] = await ctx.db.select().from(runs).where(eq(runs.id, earlier.startFrom.id))
    earlier = before
  }
  // What a deleted training learned from is not known any more.
  return true
}

async function mayHaveSeen(
  ctx: Context,
  { earlier, inputs, wanted, own }: { earlier: RunRow; inputs: Inputs; wanted: Wanted; own: Set<string> },
): Promise<boolean> {
  const isPartedAlike =
    inputs.manifestSha256 === wanted.manifestSha256 &&
    wanted.validation.method !== 'kfold' &&
    textOf(earlier.validation) === textOf(wanted.validation)
  if (isPartedAlike) return false
  const { items } = await readStored(ctx, inputs.manifestSha256)
  return items.some(({ image }) => own.has(image))
}

const textOf = (validation: Validation): string =>
  JSON.stringify(Object.entries(validation).sort(([one], [other]) => (one < other ? -1 : 1)))

type Inputs = NonNullable<Awaited<ReturnType<typeof inputsOf>>>

async function inputsOf(db: Db, runId: string) {
  const { networkText, manifestSha256 } = runInputs
  const where = eq(runInputs.runId, runId)
  const [inputs] = await db
    .select({ networkText, manifestSha256, plan: planAsText })
    .from(runInputs)
    .where(where)
  return inputs
}
