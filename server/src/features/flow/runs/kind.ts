/** What the queue of runs asks of those that compute flow: what the engine reads, and what it left. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunSpec } from '@neuroloom/contract/engine'
import { flowResultsSchema } from '@neuroloom/contract/flow/run'
import { flowLimits, flowReading } from '@neuroloom/contract/limits'
import { eq } from 'drizzle-orm'
import type { Context } from '../../../infra/context.ts'
import { CannotBegin, linkInto, type RunKind, type RunPlace } from '../../runs/service.ts'
import type { RunRow } from '../../runs/tables.ts'
import { readHead } from '../study-file.ts'
import { archive, told } from './archive.ts'
import { again } from './start.ts'
import { runFlow } from './tables.ts'

const STUDY = 'study.safetensors'
const MASK = 'mask'

/** What an attempt before has corrected lies in the folder still, and is taken over. */
async function layOut(ctx: Context, run: RunRow, { path }: RunPlace): Promise<RunSpec> {
  const [flow] = await ctx.db.select().from(runFlow).where(eq(runFlow.runId, run.id))
  if (!flow) throw new CannotBegin('internal', { reason: 'flow' })
  const { studySha256, studyName, maskSha256, asked } = flow
  const link = async (sha256: string, name: string, called: string): Promise<string> => {
    if (await linkInto(ctx, sha256, join(path, name))) return name
    throw new CannotBegin('data_missing', { count: 1, files: [called] })
  }
  const study = await link(studySha256, STUDY, studyName)
  const mask = maskSha256 === null ? null : await link(maskSha256, MASK, MASK)
  return {
    ...{ v: 1, kind: 'flow', run: run.id, attempt: run.attempt, outputs: 'out' },
    ...{ maxBytes: flowReading.studyBytes, memoryBytes: flowLimits.memoryBytes },
    work: { do: 'compute', study, mask, asked },
  }
}

/** Of a run that was stopped there may be neither. */
const finish: RunKind['finish'] = async (left) => {
  const [numbers, study] = [left.get('flow_numbers'), left.get('flow_study')]
  const results = numbers ? flowResultsSchema.parse(JSON.parse(await readFile(numbers, 'utf8'))) : null
  const correctedHead = study ? await readHead(study) : null
  return async (tx, runId) => {
    await tx.update(runFlow).set({ results, correctedHead }).where(eq(runFlow.runId, runId))
  }
}

export const runKind: RunKind = { kind: 'flow', layOut, finish, again, archive, told }
