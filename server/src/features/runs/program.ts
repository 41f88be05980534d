import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { and, eq } from 'drizzle-orm'
import type { Caller } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import * as networks from '../networks/service.ts'
import { requireRun } from './access.ts'
import { carriedCode } from './carried.ts'
import { resultName } from './links.ts'
import { planAsText, runArtifacts, runInputs } from './tables.ts'

/** Of the very network that was trained: what is drawn in DRIPE may have changed since, or have other classes. */
export async function program(
  ctx: Context,
  { id }: Parsed<'runs/program'>,
  caller: Caller,
): Promise<Answer<'runs/program'>> {
  const run = await requireRun(ctx.db, caller.user, id, 'view')
  const isWeights = and(eq(runArtifacts.runId, id), eq(runArtifacts.kind, 'weights'))
  const [weights] = await ctx.db.select().from(runArtifacts).where(isWeights)
  const [inputs] = await ctx.db
    .select({ plan: planAsText, recipe: runInputs.recipe })
    .from(runInputs)
    .where(eq(runInputs.runId, id))
  if (!weights || !inputs) throw fail('missing')
  const { recipe } = inputs
  const carried = recipe === null || recipe.isClosed ? {} : { carried: await carriedCode() }
  const fileName = await resultName(ctx, run, 'weights')
  return {
    name: fileName.replace(/\.safetensors$/, '.py'),
    text: await ctx.aside.ask(caller.user.id, networks.programWork, {
      ...{ plan: inputs.plan, name: run.network },
      ...carried,
    }),
  }
}
