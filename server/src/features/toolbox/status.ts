import type { Answer, Parsed } from '@neuroloom/contract/calls'
import type { Job } from '@neuroloom/contract/toolbox/calls'
import type { Caller, SessionUser } from '../../http/access.ts'
import type { Context } from '../../infra/context.ts'
import { conversionJobs, textJobs } from '../files/service.ts'
import { preparationJobs } from '../recipes/service.ts'
import { runJobs } from '../runs/service.ts'

/** Who queues work for members: each tells of these ids those that are its own and that the member may see. */
const sources: readonly ((ctx: Context, user: SessionUser, ids: string[]) => Promise<Job[]>)[] = [
  conversionJobs,
  textJobs,
  preparationJobs,
  runJobs,
]

export async function status(
  ctx: Context,
  { ids }: Parsed<'toolbox/status'>,
  { user }: Caller,
): Promise<Answer<'toolbox/status'>> {
  return { jobs: await jobsOf(ctx, user, ids) }
}

/** In the order in which they are asked for. */
export async function jobsOf(ctx: Context, user: SessionUser, ids: readonly string[]): Promise<Job[]> {
  const wanted = [...new Set(ids)]
  if (wanted.length === 0) return []
  const found = (await Promise.all(sources.map((source) => source(ctx, user, wanted)))).flat()
  const byId = new Map(found.map((job) => [job.id, job]))
  return wanted.flatMap((id) => byId.get(id) ?? [])
}
