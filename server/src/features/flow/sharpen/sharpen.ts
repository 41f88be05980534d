import type { Answer, Parsed } from '@neuroloom/contract/calls'
import type { FlowSharpened } from '@neuroloom/contract/flow/sharpen'
import { flowSharpening as limits } from '@neuroloom/contract/flow/sharpening-limits'
import type { FlowStudy } from '@neuroloom/contract/flow/study'
import { flowLimits } from '@neuroloom/contract/limits'
import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Caller } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import type { Tx } from '../../../infra/db.ts'
import { requireRun } from '../../runs/access.ts'
import { type RunRow, runArtifacts, runs } from '../../runs/tables.ts'
import { holdDone } from '../runs/access.ts'
import { joinProject } from '../runs/projects.ts'
import { addStudy } from '../service.ts'
import { requireTurn, requireWork } from '../turn.ts'
import { boxOf } from './box.ts'
import { flowSharpenings, planAsText, runFlowTraining } from './tables.ts'

/**
 * The study is the owner's of the project, as its runs are, whoever asks: what is made of their data stays theirs when
 * a share ends, and takes their space.
 */
export async function sharpen(
  ctx: Context,
  { runId, trainingId, name }: Parsed<'flow/sharpen'>,
  { user }: Caller,
): Promise<Answer<'flow/sharpen'>> {
  const asked = { runId, trainingId, user }
  const found = await ctx.db.transaction((tx) => requireFit(tx, asked))
  await requireWork(ctx, user)
  await ctx.room.require()
  const voxels = await requireRoom(ctx, found)
  return ctx.db.transaction(async (tx) => {
    // What was measured is still there: done runs do not change.
    const { run, study, mask, weights, plan, sharpened } = await requireFit(tx, asked)
    const ownerId = run.userId
    await requireTurn(tx, ownerId)
    const added = await addStudy(ctx, tx, ownerId, {
      ...{ sourceIds: [], fromId: null, phantom: null, step: 'make', sharpened },
      name: name ?? calledAfter(study, sharpened),
    })
    await tx.insert(flowSharpenings).values({
      ...{ studyId: added.id, studySha256: study.sha256, maskSha256: mask, weightsSha256: weights, voxels },
      plan: sql`${plan}::jsonb`,
    })
    await joinProject(ctx, tx, { projectId: run.projectId, studyId: added.id, ownerId })
    return added
  })
}

type Fit = {
  run: RunRow
  study: { name: string; sha256: string; head: FlowStudy }
  mask: string
  weights: string
  /** As text. */
  plan: string
  sharpened: FlowSharpened
}

/** The run and the training, held until the end. */
async function requireFit(
  tx: Tx,
  { runId, trainingId, user }: Omit<Parsed<'flow/sharpen'>, 'name'> & Pick<Caller, 'user'>,
): Promise<Fit> {
  const { run, flow } = await holdDone(tx, user, runId, 'edit')
  const made = await artifactsOf(tx, runId)
  const [sha256, mask] = [made.get('flow_study'), made.get('flow_mask_values')]
  if (!sha256 || !mask || flow.correctedHead === null) throw fail('flow_run_not_done')
  if (flow.head.sharpened) throw fail('flow_sharpened_already')
  const { projectId } = await requireRun(tx, user, trainingId, 'view')
  if (projectId !== run.projectId) throw fail('run_missing')
  const [training] = await tx
    .select({
      results: runFlowTraining.results,
      plan: planAsText,
      network: sql<string>`coalesce(${runs.ownNetworkName}, ${runs.network})`,
    })
    .from(runFlowTraining)
    .innerJoin(runs, eq(runs.id, runFlowTraining.runId))
    .where(eq(runFlowTraining.runId, trainingId))
    .for('share', { of: runFlowTraining })
  if (!training) throw fail('run_missing')
  const weights = (await artifactsOf(tx, trainingId)).get('weights')
  const { results, plan, network } = training
  if (!results?.wins || !weights) throw fail('flow_network_unproven')
  const { factor, gain } = results
  const isKnown = flow.head.source === 'phantom'
  return {
    ...{ run, mask, weights, plan },
    study: { name: flow.studyName, sha256, head: flow.correctedHead },
    sharpened: { trainingId, runId, network, weights, factor, gain, isKnown },
  }
}

const artifactsOf = async (tx: Tx, runId: string): Promise<Map<string, string>> => {
  const isUsed = inArray(runArtifacts.kind, ['flow_study', 'flow_mask_values', 'weights'])
  const rows = await tx
    .select()
    .from(runArtifacts)
    .where(and(eq(runArtifacts.runId, runId), isUsed))
  return new Map(rows.map(({ kind, sha256 }) => [kind, sha256]))
}

/** Voxels times frames that come out at most. */
async function requireRoom(ctx: Context, { study, mask, sharpened }: Fit): Promise<number> {
  const box = await boxOf(ctx.storage.read(mask), limits.margin)
  const coarse = (box ?? study.head.size).reduce((product, side) => product * side, study.head.frames)
  const voxels = coarse * sharpened.factor ** 3
  if (voxels > limits.voxels) throw fail('flow_too_fine', { voxels, most: limits.voxels })
  return voxels
}

/** The same in every language. */
function calledAfter({ name }: Fit['study'], { factor }: FlowSharpened): string {
  const mark = ` ×${factor}`
  return [...name].slice(0, flowLimits.nameLength - mark.length).join('') + mark
}
