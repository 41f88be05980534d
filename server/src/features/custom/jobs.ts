import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { dayMs } from '@neuroloom/contract/limits'
import type { Context, WorkerContext } from '../../infra/context.ts'
import { inspect } from './code/inspect.ts'
import { endLost, run, runFolders } from './code/run.ts'

/** The worker's part. */
export async function register(ctx: WorkerContext): Promise<void> {
  await ctx.jobs.work('code.inspect', (job) => inspect(ctx, job))
  await ctx.jobs.work('code.run', (job) => run(ctx, job))
  await ctx.jobs.work('code.sweep', () => sweep(ctx))
  await ctx.jobs.schedule('code.sweep', '*/10 * * * *')
}

/** What workers and requests left that were killed. */
async function sweep(ctx: Context): Promise<void> {
  await endLost(ctx)
  await removeOld(join(ctx.storage.stagingFolder, 'code'), '')
  await removeOld(runFolders.parent, runFolders.prefix)
}

/** By the disk's own clock. */
async function removeOld(folder: string, prefix: string): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  for (const name of names.filter((one) => one.startsWith(prefix))) {
    const path = join(folder, name)
    const found = await stat(path).catch(() => null)
    if (found && found.mtimeMs < Date.now() - dayMs) await rm(path, { recursive: true, force: true })
  }
}
