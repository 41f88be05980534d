/** A prediction with a network that somebody lent or sold: it stands in a project of whoever asks, and tells nothing of the network. */
import type { Parsed } from '@neuroloom/contract/calls'
import type { Recipe } from '@neuroloom/contract/recipes/recipe'
import { eq } from 'drizzle-orm'
import type { SessionUser } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import type { Db, Tx } from '../../../infra/db.ts'
import { requireProject } from '../../projects/access.ts'
import { type Applied, requireTrained } from '../applied.ts'
import type { RunRow, RunTool } from '../tables.ts'
import { bare, unsaid } from './bare.ts'
import { predictChosen } from './predict.ts'
import { runSources } from './predict-tables.ts'

type Asked = Pick<Parsed<'runs/predict'>, 'folderId' | 'fileIds'> & {
  tool: RunTool
  network: Applied
  projectId: string
  replay: boolean
  /** Written in the same transaction. */
  also?: (tx: Tx, run: RunRow) => Promise<void>
}

/** Whoever asks may use the network: that has been looked at. */
export async function predictByTool(
  ctx: Context,
  user: SessionUser,
  { tool, network, projectId, replay, also, ...chosen }: Asked,
): Promise<RunRow> {
  const project = await requireProject(ctx.db, user, projectId, 'edit')
  if (project.task !== network.task) throw fail('own_tool_task')
  return predictChosen(ctx, user, {
    ...{ network, replay, chosen, also },
    as: {
      ...{ userId: project.ownerId, projectId, parentId: null, tool },
      ...{ network: '', ownNetworkName: null, ownNetworkVersion: null, parameters: null },
      ...{ hyper: bare(network), validation: unsaid },
    },
  })
}

/** By which recipe its images are to be prepared; refuses a training that has left no weights. */
export async function recipeOfTraining(ctx: Context, run: RunRow): Promise<Recipe | null> {
  const { inputs } = await requireTrained(ctx, run)
  return inputs.recipe
}

/** The folder, or the first of the files, that a prediction was asked to look at. */
export async function sourceOf(db: Db, runId: string): Promise<string | null> {
  const [row] = await db.select().from(runSources).where(eq(runSources.runId, runId))
  return row?.entryIds[0] ?? null
}
