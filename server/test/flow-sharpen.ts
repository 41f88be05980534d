/** A project with a flow run that is done and a training that won, put there as if they had been computed; and an engine that makes finer at once. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FlowSpec } from '@neuroloom/contract/engine'
import type { FlowTrained } from '@neuroloom/contract/flow/sharpen'
import type { FlowStudy } from '@neuroloom/contract/flow/study'
import type { WorkerContext } from '../src/infra/context.ts'
import { newId } from '../src/infra/ids.ts'
import { addBlob } from '../src/infra/storage/blobs.ts'
import { asked } from './flow-runs.ts'
import { insertTraining, trained } from './flow-training.ts'
import type { Session, TestServer } from './harness.ts'
import { sha256 } from './uploads.ts'

export const side = 16
export const head: FlowStudy = {
  ...{ v: 1, source: 'dicom', vendor: null, size: [side, side, side], frames: 2, spacing: [2, 2, 2] },
  affine: [
    [2, 0, 0, 0],
    [0, 2, 0, 0],
    [0, 0, 2, 0],
  ],
  ...{ isPlaced: false, venc: [1, 1, 1], velocityScale: 1 / 8191 },
  directions: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  ...{ times: [0, 0.1], period: 0.2, gating: 'unknown', sources: '0'.repeat(64) },
}

/** A study's file with nothing but zeros, and a sign by which its bytes are its own. */
export function studyBytes(study: FlowStudy, sign: number): Buffer {
  const grid = [study.frames, ...[...study.size].reverse()]
  const count = grid.reduce((product, one) => product * one, 2)
  return container(
    {
      velocity: { dtype: 'I16', shape: [3, ...grid], data_offsets: [0, 3 * count] },
      magnitude: { dtype: 'I16', shape: grid, data_offsets: [3 * count, 4 * count] },
      __metadata__: { flow: JSON.stringify(study) },
    },
    Buffer.alloc(4 * count, sign),
  )
}

/** Marked from `from` to `to`, both inside, along each axis. */
export function maskBytes(from: number, to: number): Buffer {
  const marked = Buffer.alloc(side ** 3)
  for (const [z, y, x] of [
    [from, from, from],
    [to, to, to],
  ] as const)
    marked[(z * side + y) * side + x] = 1
  const shape = [side, side, side]
  return container({ mask: { dtype: 'I8', shape, data_offsets: [0, side ** 3] } }, marked)
}

function container(entries: object, numbers: Buffer): Buffer {
  const text = Buffer.from(JSON.stringify(entries))
  const length = Buffer.alloc(8)
  length.writeBigUInt64LE(BigInt(text.length))
  return Buffer.concat([length, text, numbers])
}

export async function store(
  { ctx }: TestServer,
  bytes: Buffer,
): Promise<{ sha256: string; sizeBytes: number }> {
  const file = { sha256: sha256(bytes, 'hex'), sizeBytes: bytes.length }
  const staged = join(ctx.storage.stagingFolder, newId())
  await writeFile(staged, bytes)
  await ctx.storage.adopt(staged, file.sha256)
  await addBlob(ctx.db, file)
  return file
}

export type Made = { projectId: string; runId: string; trainingId: string; made: string[] }

/** `changes`: of the corrected study. What else is told is of the training. */
export async function makeFine(
  server: TestServer,
  who: Session,
  { changes = {}, results = {}, number = 1 }: Wish = {},
): Promise<Made> {
  const { data, code, message } = await server.call(
    'projects/create',
    { name: `Fine ${newId()}`, task: 'flow' },
    who,
  )
  if (code !== 10200) throw new Error(message)
  const own = { userId: who.userId, projectId: data.id }
  const [runId, study] = [newId(), { ...head, ...changes }]
  const corrected = await store(server, studyBytes(head, Math.floor(Math.random() * 256)))
  const mask = await store(server, maskBytes(6, 9))
  const weights = await store(server, Buffer.from(`weights ${runId}`))
  const { pool } = server.ctx
  await pool.query(
    `insert into runs (id, user_id, project_id, kind, number, task, state, network, dataset_name, classes, ended_at)
     values ($1, $2, $3, 'flow', $4, 'flow', 'done', '', 'Aorta', '[]', now())`,
    [runId, own.userId, own.projectId, number],
  )
  await pool.query(
    `insert into run_flow (run_id, study_id, study_name, study_sha256, head, corrected_head, asked)
     values ($1, 's', 'Aorta', $2, $3, $3, $4)`,
    [runId, corrected.sha256, JSON.stringify(study), JSON.stringify(asked)],
  )
  for (const [kind, file] of [
    ['flow_study', corrected],
    ['flow_mask_values', mask],
  ] as const)
    await pool.query('insert into run_artifacts (run_id, kind, sha256, size_bytes) values ($1, $2, $3, $4)', [
      ...[runId, kind, file.sha256, file.sizeBytes],
    ])
  const trainingId = await insertTraining(server, {
    ...{ ...own, sha256: weights.sha256, number: number + 1, results: trained(results) },
  })
  await pool.query(
    `insert into run_numbers (project_id, kind, last) values ($1, 'flow', $2), ($1, 'flow_train', $2)
     on conflict (project_id, kind) do update set last = $2`,
    [own.projectId, number + 1],
  )
  return {
    projectId: own.projectId,
    runId,
    trainingId,
    made: [corrected.sha256, mask.sha256, weights.sha256],
  }
}
type Wish = { changes?: Partial<FlowStudy>; results?: Partial<FlowTrained>; number?: number }

type Sharpen = Extract<FlowSpec['work'], { do: 'sharpen' }>

/** Reads nothing: a study twice as fine that says by what, and one that does not. */
export const quickEngine = (worker: WorkerContext, asked: Sharpen[] = []): WorkerContext => ({
  ...worker,
  engine: {
    ...worker.engine,
    async flow(work, { folder }) {
      if (work.do !== 'sharpen') throw new Error('Something else was asked for')
      asked.push(work)
      const { sharpened, ...fine } = { ...head, source: 'sharpened' as const, sharpened: work.sharpened }
      const paths = [join(folder, 'study'), join(folder, 'interpolated')] as const
      await writeFile(paths[0], studyBytes({ ...fine, sharpened }, 1))
      await writeFile(paths[1], studyBytes(fine, 2))
      return { made: [...paths] }
    },
  },
})
