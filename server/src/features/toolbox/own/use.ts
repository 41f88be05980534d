import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { toolbox as limits } from '@neuroloom/contract/limits'
import { type Recipe, recipeSchema } from '@neuroloom/contract/recipes/recipe'
import type { ToolSettings } from '@neuroloom/contract/toolbox/own-tools'
import { ownToolName } from '@neuroloom/contract/toolbox/toolbox'
import type { Caller } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import { begin, markOf, trial } from '../../recipes/service.ts'
import { requireLearned } from '../../runs/access.ts'
import { appliedOf, predictByTool, showRun } from '../../runs/service.ts'
import { keepUse } from '../history.ts'
import { requireUsable, type SeenTool } from './access.ts'
import { filledIn, isPrepared } from './settings.ts'
import { formOf } from './show.ts'

export async function tryOut(
  ctx: Context,
  { id, settings, ...where }: Parsed<'toolbox/tryTool'>,
  caller: Caller,
): Promise<Answer<'toolbox/tryTool'>> {
  const tool = await requireUsable(ctx, caller.user, id)
  return trial(ctx, { ...where, recipe: recipeOf(tool, settings) }, caller)
}

/** A crash between the two loses a line of the history, never the work. */
export async function prepare(
  ctx: Context,
  { id, settings, name, ...where }: Parsed<'toolbox/prepareByTool'>,
  { user }: Caller,
): Promise<Answer<'toolbox/prepareByTool'>> {
  const tool = await requireUsable(ctx, user, id)
  const work = await begin(ctx, user, {
    work: { kind: 'recipe', ...where, recipe: recipeOf(tool, settings) },
    name,
  })
  await keepUse(ctx, user.id, {
    ...named(tool),
    title: work.sourceName.slice(0, limits.titleLength),
    inputs: { folder: where.folderId, name: work.sourceName, settings: JSON.stringify(settings) },
    jobId: work.id,
  })
  return work
}

export async function predict(
  ctx: Context,
  { id, settings, projectId, folderId, fileIds }: Parsed<'toolbox/predictByTool'>,
  { user }: Caller,
): Promise<Answer<'toolbox/predictByTool'>> {
  const tool = await requireUsable(ctx, user, id)
  if (tool.kind !== 'network' || tool.runId === null) throw fail('own_tool_missing')
  const training = await requireLearned(ctx.db, { id: tool.ownerId }, tool.runId, 'own')
  const run = await predictByTool(ctx, user, {
    tool: { id: tool.id, name: tool.name },
    ...{ network: await appliedOf(ctx, training), projectId, folderId, fileIds },
    replay: isPrepared(formOf(tool), settings),
  })
  const source: Record<string, string> = folderId === null ? { files: fileIds.join() } : { folder: folderId }
  await keepUse(ctx, user.id, {
    ...named(tool),
    title: run.datasetName.slice(0, limits.titleLength),
    inputs: { ...source, name: run.datasetName, project: projectId, settings: JSON.stringify(settings) },
    jobId: run.id,
  })
  return showRun(ctx.db, run.id)
}

const named = ({ id, name }: SeenTool) => ({ tool: ownToolName(id), toolName: name })

/** The recipe inside with what was chosen. Whoever did not make the tool is told none of its steps, also of their own work. */
function recipeOf(tool: SeenTool, settings: ToolSettings): Recipe {
  const inside = recipeSchema.safeParse(tool.recipe)
  if (tool.kind !== 'recipe' || !inside.success) throw fail('own_tool_missing')
  const { v, steps } = filledIn(inside.data, formOf(tool), settings)
  return {
    ...{ v, name: tool.name, version: markOf(steps), steps },
    ...(tool.from === null ? {} : { isClosed: true }),
  }
}
