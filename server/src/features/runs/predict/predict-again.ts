import type { Answer } from '@neuroloom/contract/calls'
import type { Manifest } from '@neuroloom/contract/engine'
import { asc, eq } from 'drizzle-orm'
import type { SessionUser } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import type { Db } from '../../../infra/db.ts'
import { blobs } from '../../../infra/storage/blobs.ts'
import { asked } from '../asked.ts'
import { readStored } from '../manifests.ts'
import { showRun } from '../show.ts'
import { enqueue } from '../start.ts'
import { type LearnedRow, runInputs } from '../tables.ts'
import { keepSetAside } from './predict.ts'
import { itemsOf, readableNow } from './predict-sources.ts'
import { runSetAside, runSources } from './predict-tables.ts'
import { predictionWork } from './predict-work.ts'

/**
 * An ended prediction once more: the same weights on the very files that it was made of, not on what was added to the
 * folder since. Whoever asks must be able to look at some of them now; the others are set aside when it begins.
 */
export async function predictAgain(
  ctx: Context,
  user: SessionUser,
  past: LearnedRow,
): Promise<Answer<'runs/rerun'>> {
  const [inputs] = await ctx.db.select().from(runInputs).where(eq(runInputs.runId, past.id))
  const [sources] = await ctx.db.select().from(runSources).where(eq(runSources.runId, past.id))
  if (!inputs || !sources) throw fail('internal')
  const { manifestSha256: sha256, runId: _, ...kept } = inputs
  const manifest = await readStored(ctx, sha256)
  const [blob] = await ctx.db.select().from(blobs).where(eq(blobs.sha256, sha256))
  const readable = await readableNow(ctx, { ...past, startedBy: user.id })
  if (!blob || readable === null || itemsOf(manifest, readable).items.length === 0) {
    throw fail('prediction_gone')
  }
  const aside = await knownBefore(ctx.db, past.id, manifest)
  const images = manifest.items.map(({ image }) => image)
  const cost = await predictionWork(ctx.db, past, { plan: kept.plan, images })
  const run = await ctx.db.transaction(async (tx) => {
    const row = await enqueue(ctx, tx, {
      run: {
        ...asked(past),
        startedBy: user.id,
        counts: { files: manifest.items.length + aside.length },
        cost,
      },
      inputs: kept,
      manifest: { sha256, sizeBytes: blob.sizeBytes },
    })
    await tx.insert(runSources).values({ ...sources, runId: row.id })
    await keepSetAside(tx, row.id, aside)
    return row
  })
  return showRun(ctx.db, run.id)
}

/** What was set aside by its name, or as known to be broken, before the network was asked. */
async function knownBefore(db: Db, runId: string, { items }: Manifest) {
  const looked = new Set(items.map(({ name }) => name))
  const rows = await db
    .select({ name: runSetAside.name, reason: runSetAside.reason })
    .from(runSetAside)
    .where(eq(runSetAside.runId, runId))
    .orderBy(asc(runSetAside.place))
  return rows.filter(({ name }) => !looked.has(name))
}
