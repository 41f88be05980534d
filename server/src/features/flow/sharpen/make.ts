import { join } from 'node:path'
import { flowSharpening as limits } from '@neuroloom/contract/flow/sharpening-limits'
import { eq } from 'drizzle-orm'
import type { WorkerContext } from '../../../infra/context.ts'
import type { Db } from '../../../infra/db.ts'
import { type Made, madeOf } from '../readers.ts'
import type { FlowRow } from '../tables.ts'
import { flowSharpenings } from './tables.ts'

type Sharpening = typeof flowSharpenings.$inferSelect & Pick<FlowRow, 'sharpened'>

/** What a study is made finer of; null of any other. */
export async function sharpeningOf(db: Db, { id, sharpened }: FlowRow): Promise<Sharpening | null> {
  const [row] = await db.select().from(flowSharpenings).where(eq(flowSharpenings.studyId, id))
  return row ? { ...row, sharpened } : null
}

/** Both files: by the network, and by interpolation alone. */
export async function makeFiner(
  ctx: WorkerContext,
  { studySha256, maskSha256, weightsSha256, plan, sharpened }: Sharpening,
  { folder, signal }: { folder: string; signal: AbortSignal },
): Promise<Made> {
  if (sharpened === null) throw new Error('A study is to be made finer, and nothing tells by what')
  const [study, mask, weights] = ['study.safetensors', 'mask.safetensors', 'weights.safetensors']
  await ctx.storage.linkInto(studySha256, join(folder, study))
  await ctx.storage.linkInto(maskSha256, join(folder, mask))
  await ctx.storage.linkInto(weightsSha256, join(folder, weights))
  const { threads } = await ctx.engine.device()
  const { margin, voxels: maxVoxels, sharpenMs: timeMs } = limits
  const read = { study, mask, weights, plan }
  const work = { do: 'sharpen' as const, ...read, margin, maxVoxels, sharpened, threads }
  return madeOf(await ctx.engine.flow(work, { folder, signal, timeMs }))
}
