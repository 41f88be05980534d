/** Trainings of velocity super-resolution as pages start them, small enough for a test, and one that was done by nobody. */
import { type FlowTrain, type FlowTrained, flowTrainHyper } from '@neuroloom/contract/flow/sharpen'
import { newId } from '../src/infra/ids.ts'
import type { TestServer } from './harness.ts'

/** A network of a member's own: as small as one for flow can be. */
export const flowText = ({ width = 4, task = 'flow', factor = 2 } = {}): string => `dripe: 1
name: tiny
task: ${task}
params: {factor: {type: int, default: ${factor}, min: 1, max: 16, role: factor}}
inputs:
  velocity: {kind: volume, channels: 3, size: [12, 12, 12]}
  magnitude: {kind: volume, channels: 3, size: [12, 12, 12]}
nodes:
  both: {op: concat, in: [velocity, magnitude]}
  stem: {op: conv, out: ${width}, mode: replicate}
  act: relu
  finer: {op: conv, out: =3*factor^3, mode: replicate}
  flow: {op: pixelshuffle, factor: =factor}
heads: {main: {task: ${task}, from: flow, factor: =factor}}
`

export const trainAsked: FlowTrain = { network: 'flow4d_small', flows: 20, epochs: 1, seed: 3 }

const score = { rmse: 0.1, vnrmse: 0.05, speedError: 0.02, angle: 3 }

export const trained = (changes: Partial<FlowTrained> = {}): FlowTrained => ({
  ...{ v: 1, asked: trainAsked, factor: 2, parts: { train: 12, validation: 4, test: 4 } },
  scores: { network: score, linear: score, weighted: score, cubic: score },
  gain: { against: 'cubic', mean: 0.3, low: 0.25, high: 0.35 },
  ...{ wins: true, flows: [], ...changes },
})

type Inserted = { userId: string; projectId: string; sha256: string; number: number; results: FlowTrained }

/** A training that has ended, with these bytes as weights. */
export async function insertTraining(
  { ctx: { pool } }: TestServer,
  { userId, projectId, sha256, number, results }: Inserted,
): Promise<string> {
  const id = newId()
  await pool.query(
    `insert into runs (id, user_id, project_id, kind, number, task, state, network, dataset_name, classes, hyper, ended_at)
     values ($1, $2, $3, 'flow_train', $4, 'flow', 'done', 'flow4d_small', '', '[]', $5, now())`,
    [id, userId, projectId, number, JSON.stringify(flowTrainHyper(trainAsked))],
  )
  await pool.query(
    `insert into run_flow_training (run_id, asked, plan, plan_hash, results) values ($1, $2, '{}', '', $3)`,
    [id, JSON.stringify(trainAsked), JSON.stringify(results)],
  )
  await pool.query(
    `insert into run_artifacts (run_id, kind, sha256, size_bytes)
     select $1, 'weights', sha256, size_bytes from blobs where sha256 = $2`,
    [id, sha256],
  )
  return id
}
