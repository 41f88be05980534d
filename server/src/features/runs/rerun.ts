import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { isOpen } from '@neuroloom/contract/run-states'
import { eq, inArray } from 'drizzle-orm'
import type { Caller, SessionUser } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import type { Db, Tx } from '../../infra/db.ts'
import { blobs } from '../../infra/storage/blobs.ts'
import { requireDataset } from '../datasets/access.ts'
import { requireRun } from './access.ts'
import { asked } from './asked.ts'
import { kindOf } from './kinds.ts'
import { filesOf, readStored } from './manifests.ts'
import { predictAgain } from './predict/predict-again.ts'
import { showRun } from './show.ts'
import { enqueue, queueRun } from './start.ts'
import { soldModel } from './start-from.ts'
import { isLearnedRow, type RunRow, runInputs } from './tables.ts'

/** Hashes asked for by one statement. */
const HASHES_AT_ONCE = 5000

/**
 * The same run once more, with everything as it was then: whoever may start runs here may repeat one, also one whose
 * settings only a gold member could choose, because nothing is chosen.
 */
export async function rerun(
  ctx: Context,
  { id }: Parsed<'runs/rerun'>,
  { user }: Caller,
): Promise<Answer<'runs/rerun'>> {
  const past = await requireRun(ctx.db, user, id, 'edit')
  if (isOpen(past)) throw fail('run_not_ended')
  if (!isLearnedRow(past)) return computeAgain(ctx, user, past)
  if (past.tool) throw fail('run_by_tool')
  if (past.kind !== 'train' && past.parentId === null) throw fail('weights_gone')
  if (past.kind === 'predict') return predictAgain(ctx, user, past)
  // Who has a model of the shop no longer begins nothing new with it.
  if (past.startFrom?.model) await soldModel(ctx, user, past.startFrom.id)
  const enqueueAgain = await repeat(ctx, user, past)
  const run = await ctx.db.transaction(enqueueAgain)
  return showRun(ctx.db, run.id)
}

/** The same training or test once more, to be queued in a transaction: its very data must still be there. */
export async function repeat(
  ctx: Context,
  user: Pick<SessionUser, 'id'>,
  past: RunRow,
): Promise<(tx: Tx) => Promise<RunRow>> {
  if (past.datasetId === null) throw fail('data_gone')
  await requireDataset(ctx.db, user, past.datasetId, 'view')
  const [inputs] = await ctx.db.select().from(runInputs).where(eq(runInputs.runId, past.id))
  if (!inputs) throw fail('internal')
  const { manifestSha256: sha256, runId: _, ...kept } = inputs
  const manifest = await readStored(ctx, sha256)
  if (!(await areAllThere(ctx.db, filesOf(manifest)))) throw fail('data_gone')
  const [blob] = await ctx.db.select().from(blobs).where(eq(blobs.sha256, sha256))
  if (!blob) throw fail('data_gone')
  return (tx) =>
    enqueue(ctx, tx, {
      run: { ...asked(past), startedBy: user.id },
      inputs: kept,
      manifest: { sha256, sizeBytes: blob.sizeBytes },
    })
}

/** Of a kind of a feature to the right: the very bytes that it read, whatever became of what they were of. */
async function computeAgain(ctx: Context, user: SessionUser, past: RunRow): Promise<Answer<'runs/rerun'>> {
  const kind = kindOf(ctx, past)
  if (!kind) throw fail('internal')
  const run = await ctx.db.transaction(async (tx) => {
    const next = await queueRun(ctx, tx, { ...asked(past), startedBy: user.id })
    await kind.again(tx, { past, next })
    return next
  })
  return showRun(ctx.db, run.id)
}

async function areAllThere(db: Db, hashes: Set<string>): Promise<boolean> {
  const wanted = [...hashes]
  for (let start = 0; start < wanted.length; start += HASHES_AT_ONCE) {
    const part = wanted.slice(start, start + HASHES_AT_ONCE)
    if ((await db.$count(blobs, inArray(blobs.sha256, part))) < part.length) return false
  }
  return true
}
