/** The project that the matrix acts on, and everybody who meets it. Made anew after each deed that changed it. */
import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { newId } from '../src/infra/ids.ts'
import { thumbnailPath } from '../src/infra/storage/blobs.ts'
import { asked } from './flow-runs.ts'
import { insertTraining, trained } from './flow-training.ts'
import type { Session, TestServer } from './harness.ts'
import { makeTrainingSet, startQuick } from './training.ts'

export const actors = [
  'owner',
  'editor',
  'viewer',
  'publicReader',
  'exMember',
  'stranger',
  'anonymous',
] as const
export type Actor = (typeof actors)[number]
type MemberName = Exclude<Actor, 'anonymous'>

/** What there is in the project, and around it. */
export type Place = {
  /** Part of every name in it, and of nothing else. */
  mark: string
  project: string
  /** In the recycle station. */
  gone: string
  goneRun: string
  /** Of the actor, with nothing of the others in it. */
  ownProject: string
  ownFolder: string
  ownData: string
  /** The owner's, used by the project. */
  data: string
  parts: string[]
  /** The editor's, used by the project. */
  editorData: string
  /** The owner's, used by no project. */
  aside: string
  asideParts: string[]
  trained: string
  tested: string
  waiting: string
  /** In the recycle station, though their project is not. */
  recycledRun: string
  recycledTest: string
  /** The share of an actor, else the viewer's. */
  shareId: string
  /** Whom nothing is shared with. */
  account: string
  /** Of 4D flow; seen by the same members. */
  flow: string
  /** The owner's, in it. */
  study: string
  /** The editor's, in it. */
  editorStudy: string
  /** Of the actor, in no project. */
  ownStudy: string
  /** Done. */
  flowRun: string
  figure: string
  /** A training for flow that did not win. */
  flowTraining: string
  /** Bytes that are an image, weights and a picture at once. */
  sha256: string
}

export type Stage = {
  server: TestServer
  sessionOf(actor: Actor): Session | null
  build(actor: Actor): Promise<Place>
  /** All that a deed could change, as one text. */
  stateOf(place: Place): Promise<string>
}

/** Rows that members once made, to be copied for each cell. */
type Template = { project: string; data: string; run: string; sha256: string }
type Ids = Record<MemberName, string>

export async function makeStage(server: TestServer): Promise<Stage> {
  const sessions = new Map<string, Session>()
  for (const name of actors.filter((actor) => actor !== 'anonymous')) {
    // Levels are other tests' affair.
    sessions.set(name, await server.signUp({ password: null, vipLevel: 4, vipSuper: 1, nickName: name }))
  }
  const outsider = await server.signUp({ password: null, vipLevel: 4 })
  const template = await makeTemplate(server)
  // The names of all members are there.
  const ids = Object.fromEntries([...sessions].map(([name, { userId }]) => [name, userId])) as Ids
  return {
    server,
    sessionOf: (actor) => sessions.get(actor) ?? null,
    build: (actor) => build(server, { actor, ids, template, account: outsider.account }),
    stateOf: (place) => stateOf(server, place),
  }
}

async function makeTemplate(server: TestServer): Promise<Template> {
  const maker = await server.signUp({ password: null, vipLevel: 4, vipSuper: 1 })
  const set = await makeTrainingSet(server, maker, { items: 12 })
  const { id: run } = await startQuick(server, maker, { set })
  const { rows } = await server.ctx.pool.query<{ sha256: string }>(
    'select image_sha256 as sha256 from dataset_items limit 1',
  )
  const sha256 = rows[0]?.sha256 ?? ''
  const picture = thumbnailPath(server.ctx.config.dataDir, sha256)
  await mkdir(dirname(picture), { recursive: true })
  await writeFile(picture, 'picture')
  return { project: set.projectId, data: set.datasetId, run, sha256 }
}

type Making = { actor: Actor; ids: Ids; template: Template; account: string }

async function build(server: TestServer, { actor, ids, template, account }: Making): Promise<Place> {
  const mark = `mark${randomBytes(6).toString('hex')}`
  const copy = copierOf(server)
  const actorId = actor === 'anonymous' ? ids.stranger : ids[actor]
  const project = (ownerId: string, name: string, more: object = {}) =>
    copy('projects', template.project, { owner_id: ownerId, name, search_text: name, ...more })
  const now = new Date()
  const dataset = (ownerId: string, name: string) =>
    copyDataset(server, template, { owner_id: ownerId, name })
  const [shown, gone, ownProject, data, editorData, aside, ownData] = await Promise.all([
    project(ids.owner, mark, actor === 'publicReader' ? { public_at: now } : {}),
    project(ids.owner, `${mark} gone`, { recycled_at: now }),
    project(actorId, newId()),
    dataset(ids.owner, `${mark} data`),
    dataset(ids.editor, `${mark} editor's`),
    dataset(ids.owner, `${mark} aside`),
    dataset(actorId, newId()),
  ])
  const ownFolder = await insertFolder(server, actorId)
  await use(server, shown, [data.id, editorData.id])
  const shares = await insertShares(server, shown, ids)
  const flow = await project(ids.owner, `${mark} flow`, {
    task: 'flow',
    ...(actor === 'publicReader' ? { public_at: now } : {}),
  })
  await insertShares(server, flow, ids)
  const run = { user_id: ids.owner, project_id: shown, dataset_id: data.id, dataset_name: mark }
  const runs = await copyRuns(server, { template, run, gone })
  return {
    mark,
    project: shown,
    gone,
    ownProject,
    ownFolder,
    ownData: ownData.id,
    data: data.id,
    parts: data.parts,
    editorData: editorData.id,
    aside: aside.id,
    asideParts: aside.parts,
    ...runs,
    flow,
    ...(await makeFlow(server, { mark, flow, ids, actorId, sha256: template.sha256 })),
    shareId: shares.get(actor) ?? shares.get('viewer') ?? '',
    account,
    sha256: template.sha256,
  }
}

/** Copies one row under a new id, with other values in some columns. */
const copierOf =
  ({ ctx }: TestServer) =>
  async (table: string, from: string, values: object): Promise<string> => {
    const id = newId()
    await ctx.pool.query(
      `insert into ${table} select (jsonb_populate_record(t, $2)).* from ${table} t where id = $1`,
      [from, JSON.stringify({ ...values, id })],
    )
    return id
  }

async function copyDataset(
  server: TestServer,
  template: Template,
  values: object,
): Promise<{ id: string; parts: string[] }> {
  const id = await copierOf(server)('datasets', template.data, { ...values, folder_id: newId() })
  for (const table of ['dataset_items', 'dataset_parts']) {
    await server.ctx.pool.query(
      `insert into ${table}
       select (jsonb_populate_record(t, jsonb_build_object('id', substr(md5(t.id || $2), 1, 16), 'dataset_id', $2))).*
       from ${table} t where dataset_id = $1`,
      [template.data, id],
    )
  }
  const { rows } = await server.ctx.pool.query<{ id: string }>(
    'select id from dataset_parts where dataset_id = $1 order by part',
    [id],
  )
  return { id, parts: rows.map((row) => row.id) }
}

const use = ({ ctx }: TestServer, projectId: string, datasetIds: string[]) =>
  ctx.pool.query(
    `insert into project_datasets (project_id, dataset_id, added_at) select $1, unnest($2::text[]), now()`,
    [projectId, datasetIds],
  )

async function insertFolder({ ctx }: TestServer, ownerId: string): Promise<string> {
  const id = newId()
  await ctx.pool.query(
    `insert into files (id, owner_id, kind, name, search_name, sort_name, size_bytes, modified_at)
     values ($1, $2, 'folder', $1, $1, $1, 0, now())`,
    [id, ownerId],
  )
  return id
}

/** The member who left could edit once. */
async function insertShares({ ctx }: TestServer, projectId: string, ids: Ids): Promise<Map<string, string>> {
  const given = new Map<string, string>()
  for (const name of ['viewer', 'editor', 'exMember'] as const) {
    const id = newId()
    given.set(name, id)
    await ctx.pool.query(
      `insert into project_shares (id, project_id, owner_id, user_id, account, permission, shared_at)
       values ($1, $2, $3, $4, '', $5, now())`,
      [id, projectId, ids.owner, ids[name], name === 'viewer' ? 'view' : 'edit'],
    )
  }
  await ctx.pool.query('delete from project_shares where id = $1', [given.get('exMember')])
  return given
}

/** A training with weights, its test with predictions, and one that waits; the same removed; and one of the project that is gone. */
async function copyRuns(
  server: TestServer,
  { template, run, gone }: { template: Template; run: { project_id: string }; gone: string },
): Promise<Pick<Place, 'trained' | 'tested' | 'waiting' | 'goneRun' | 'recycledRun' | 'recycledTest'>> {
  const copy = copierOf(server)
  const ended = { state: 'done', ended_at: new Date() }
  const trained = await copy('runs', template.run, { ...run, ...ended, number: 1 })
  const tested = await copy('runs', template.run, { ...run, ...ended, number: 2, kind: 'test' })
  const waiting = await copy('runs', template.run, { ...run, number: 3, dataset_id: newId() })
  const goneRun = await copy('runs', template.run, { ...run, ...ended, number: 4, project_id: gone })
  const removed = { ...run, ...ended, recycled_at: new Date() }
  const recycledRun = await copy('runs', template.run, { ...removed, number: 5 })
  const recycledTest = await copy('runs', template.run, { ...removed, number: 6, kind: 'test' })
  const { pool } = server.ctx
  await pool.query(
    `insert into run_numbers (project_id, kind, last) values ($1, 'train', 5), ($1, 'test', 6)`,
    [run.project_id],
  )
  for (const id of [trained, tested, recycledRun, recycledTest]) {
    await pool.query(
      `insert into run_inputs
       select (jsonb_populate_record(t, jsonb_build_object('run_id', $2::text))).* from run_inputs t where run_id = $1`,
      [template.run, id],
    )
  }
  await pool.query(
    `insert into run_artifacts (run_id, kind, sha256, size_bytes)
     select id, kind, sha256, size_bytes
     from blobs, (values ($1, 'weights'), ($2, 'predictions_csv'), ($3, 'weights'), ($4, 'weights')) as made (id, kind)
     where sha256 = $5`,
    [trained, tested, goneRun, recycledRun, template.sha256],
  )
  return { trained, tested, waiting, goneRun, recycledRun, recycledTest }
}

const head = {
  ...{ v: 1, source: 'phantom', vendor: null, size: [16, 16, 16], frames: 2, spacing: [2, 2, 2] },
  ...{
    affine: [
      [2, 0, 0, 0],
      [0, 2, 0, 0],
      [0, 0, 2, 0],
    ],
    isPlaced: false,
    gating: 'unknown',
  },
  ...{
    directions: [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ],
    venc: [1, 1, 1],
    velocityScale: 0.001,
  },
  ...{ times: [0, 0.1], period: 0.2, sources: '0'.repeat(64) },
}

type Flow = { mark: string; flow: string; ids: Ids; actorId: string; sha256: string }

/** Studies in the project and beside it, a run that is done with a picture of it, and a training. */
async function makeFlow(
  server: TestServer,
  { mark, flow, ids, actorId, sha256 }: Flow,
): Promise<Pick<Place, 'study' | 'editorStudy' | 'ownStudy' | 'flowRun' | 'figure' | 'flowTraining'>> {
  const { pool } = server.ctx
  const study = async (ownerId: string, name: string): Promise<string> => {
    const id = newId()
    await pool.query(
      `insert into flow_studies (id, owner_id, name, source_ids, step, state, head, sha256, created_at)
       values ($1, $2, $3, '{}', 'make', 'ready', $4, $5, now())`,
      [id, ownerId, name, JSON.stringify(head), sha256],
    )
    return id
  }
  const [own, editors, beside] = [
    await study(ids.owner, `${mark} study`),
    await study(ids.editor, `${mark} editor's study`),
    await study(actorId, newId()),
  ]
  await pool.query(
    'insert into flow_project_studies (project_id, study_id, added_at) select $1, unnest($2::text[]), now()',
    [flow, [own, editors]],
  )
  const [run, figure] = [newId(), newId()]
  await pool.query(
    `insert into runs (id, user_id, project_id, kind, number, task, state, network, dataset_name, classes, ended_at)
     values ($1, $2, $3, 'flow', 1, 'flow', 'done', '', $4, '[]', now())`,
    [run, ids.owner, flow, mark],
  )
  await pool.query(
    `insert into run_numbers (project_id, kind, last) values ($1, 'flow', 1), ($1, 'flow_train', 2)`,
    [flow],
  )
  await pool.query(
    `insert into run_flow (run_id, study_id, study_name, study_sha256, head, corrected_head, asked) values ($1, $2, $3, $4, $5, $5, $6)`,
    [run, own, mark, sha256, JSON.stringify(head), JSON.stringify(asked)],
  )
  await pool.query(
    `insert into run_artifacts (run_id, kind, sha256, size_bytes)
     select $1, kind, sha256, size_bytes from blobs, (values ('flow_study'), ('flow_mask'), ('flow_mask_values')) as made (kind)
     where sha256 = $2`,
    [run, sha256],
  )
  await pool.query(
    `insert into flow_figures (id, run_id, caption, sha256, size_bytes, width, height, created_at)
     values ($1, $2, $3, $4, 1, 1, 1, now())`,
    [figure, run, mark, sha256],
  )
  const results = trained({ wins: false })
  const owned = { userId: ids.owner, projectId: flow, sha256 }
  const flowTraining = await insertTraining(server, { ...owned, number: 2, results })
  return { flowTraining, study: own, editorStudy: editors, ownStudy: beside, flowRun: run, figure }
}

async function stateOf({ ctx }: TestServer, { mark, shareId }: Place): Promise<string> {
  const { rows } = await ctx.pool.query(
    `with shown as (select id from projects where search_text like $1 || '%')
     select
       (select json_agg(p order by p.id) from projects p where p.id in (select id from shown)) as projects,
       (select json_agg(s order by s.id) from project_shares s where s.project_id in (select id from shown)) as shares,
       (select json_agg(a order by a.name) from project_statements a where a.project_id in (select id from shown)) as statements,
       (select json_agg(u order by u.dataset_id) from project_datasets u where u.project_id in (select id from shown)) as uses,
       (select json_agg(d order by d.id) from datasets d where d.name like $1 || '%') as datasets,
       (select json_agg(r order by r.id) from runs r where r.project_id in (select id from shown)) as runs,
       (select json_agg(s order by s.study_id) from flow_project_studies s where s.project_id in (select id from shown)) as studies,
       (select json_agg(f order by f.run_id) from run_flow f where f.study_name like $1 || '%') as flow,
       (select json_agg(f order by f.id) from flow_figures f where f.caption like $1 || '%') as figures,
       $2 as share`,
    [mark, shareId],
  )
  return JSON.stringify(rows)
}
