/** Who may do what with a tool that somebody made: everybody times every call about one. A call that is not in it fails here. */
import { type Body, calls } from '@neuroloom/contract/calls'
import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../../test/harness.ts'
import { upload } from '../../../../test/uploads.ts'
import { ownToolShares } from './tables.ts'

const actors = [
  'owner',
  'sharee',
  'groupMember',
  'withdrawn',
  'expired',
  'exMember',
  'stranger',
  'administrator',
  'belowBronze',
  'anonymous',
] as const
type Actor = (typeof actors)[number]
type Member = Session & { account: string }
type Kind = 'recipe' | 'network'

let server: TestServer
const members = new Map<Actor, Member>()
/** Of the owner, by what it was made of. */
const tools = new Map<Kind, string>()

beforeAll(async () => {
  server = await makeServer()
  for (const actor of actors.filter((one) => one !== 'anonymous')) {
    const level = actor === 'belowBronze' ? 1 : 3
    const role = actor === 'administrator' ? 1 : 0
    members.set(actor, await server.signUp({ password: null, vipLevel: level, role }))
  }
  const { data: group } = await server.call('files/createGroup', { name: 'Ward' }, who('owner'))
  for (const actor of ['groupMember', 'exMember'] as const)
    await server.call('files/joinGroup', { number: group.number }, who(actor))
  for (const kind of ['recipe', 'network'] as const) tools.set(kind, await makeTool(kind, group.id))
  await server.call('files/exitGroup', { groupId: group.id }, who('exMember'))
})
afterAll(() => server.close())

const who = (actor: Actor): Member | null => members.get(actor) ?? null

async function makeTool(kind: Kind, groupId: string): Promise<string> {
  const owner = who('owner')
  const sourceId = kind === 'recipe' ? await makeRecipe() : await makeTraining()
  const about = { of: kind, sourceId, name: kind, picture: 'pen' as const }
  const { data, message, code } = await server.call('toolbox/makeTool', about, owner)
  if (code !== 10200) throw new Error(message)
  await server.call('toolbox/shareTool', { id: data.id, groupId }, owner)
  for (const actor of ['sharee', 'withdrawn', 'expired', 'belowBronze'] as const)
    await server.call('toolbox/shareTool', { id: data.id, account: who(actor)?.account ?? '' }, owner)
  const end = (actor: Actor, change: Partial<typeof ownToolShares.$inferInsert>) =>
    server.ctx.db
      .update(ownToolShares)
      .set(change)
      .where(and(eq(ownToolShares.toolId, data.id), eq(ownToolShares.userId, who(actor)?.userId ?? '')))
  await end('withdrawn', { withdrawnAt: new Date() })
  await end('expired', { expiresAt: new Date() })
  return data.id
}

async function makeRecipe(): Promise<string> {
  const recipe = { v: 1 as const, steps: [{ do: 'grey' as const }] }
  return (await server.call('recipes/keep', { name: 'Grey', recipe }, who('owner'))).data.id
}

/** As a training leaves it; that it works is another test's affair (`network-tool.test.ts`). */
async function makeTraining(): Promise<string> {
  const owner = who('owner')
  const { data: project } = await server.call(
    'projects/create',
    { name: 'Cells', task: 'classification' },
    owner,
  )
  await upload(server, who('owner') ?? { userId: '', token: '' }, {
    files: [{ path: 'weights.bin', bytes: Buffer.from('weights') }],
  })
  const { pool } = server.ctx
  const hyper = { batchSize: 8, imageSize: [32, 32], depth: 1, numClass: 2, criterion: 'cross_entropy' }
  await pool.query(
    `insert into runs (id, user_id, project_id, kind, number, task, state, network, dataset_id, dataset_name, classes, hyper, validation, created_at, ended_at)
     values ('trained', $1, $2, 'train', 1, 'classification', 'done', 'small_resnet', 'cells', 'cells', '[]', $3, '{}', now(), now())`,
    [owner?.userId, project.id, hyper],
  )
  await pool.query(
    `insert into run_inputs (run_id, plan, plan_hash, manifest_sha256) select 'trained', '{}', '', sha256 from blobs limit 1`,
  )
  await pool.query(
    `insert into run_artifacts (run_id, kind, sha256, size_bytes) select 'trained', 'weights', sha256, 7 from blobs limit 1`,
  )
  return 'trained'
}

type Rule = Record<Actor, string>
const missing: Rule = {
  owner: 'ok',
  sharee: 'own_tool_missing',
  groupMember: 'own_tool_missing',
  withdrawn: 'own_tool_missing',
  expired: 'own_tool_missing',
  exMember: 'own_tool_missing',
  stranger: 'own_tool_missing',
  administrator: 'own_tool_missing',
  belowBronze: 'own_tool_missing',
  anonymous: 'not_signed_in',
}
/** Looking at it also tells why it does not work. */
const lookers: Rule = {
  ...missing,
  ...{ sharee: 'ok', groupMember: 'ok', withdrawn: 'ok', expired: 'ok', belowBronze: 'ok' },
}
/** Whoever may use it comes as far as to a folder that there is not. */
const users = (reached: string): Rule => ({
  ...missing,
  ...{ owner: reached, sharee: reached, groupMember: reached, belowBronze: reached },
  ...{ withdrawn: 'own_tool_withdrawn', expired: 'own_tool_expired' },
})

type Row = { call: keyof typeof calls & `toolbox/${string}`; kind: Kind; body: object; rule: Rule }
const folder = { folderId: 'nowhere' }
const matrix: Row[] = [
  { call: 'toolbox/ownTool', kind: 'recipe', body: {}, rule: lookers },
  { call: 'toolbox/changeTool', kind: 'recipe', body: { name: 'recipe', picture: 'eye' }, rule: missing },
  { call: 'toolbox/changeTool', kind: 'network', body: { name: 'network', picture: 'eye' }, rule: missing },
  {
    call: 'toolbox/shareTool',
    kind: 'recipe',
    body: { account: 'nobody@example.com' },
    rule: { ...missing, owner: 'account_missing' },
  },
  {
    call: 'toolbox/unshareTool',
    kind: 'recipe',
    body: { shareId: 'none' },
    rule: { ...missing, owner: 'missing' },
  },
  { call: 'toolbox/tryTool', kind: 'recipe', body: folder, rule: users('missing') },
  { call: 'toolbox/prepareByTool', kind: 'recipe', body: { ...folder, name: 'new' }, rule: users('missing') },
  {
    call: 'toolbox/predictByTool',
    kind: 'network',
    body: { ...folder, projectId: 'nowhere' },
    rule: { ...users('project_missing'), belowBronze: 'application_unavailable' },
  },
  // Last: what was shared goes from the lists of whoever puts it away, and then for all.
  {
    call: 'toolbox/removeTool',
    kind: 'recipe',
    body: {},
    rule: { ...lookers, groupMember: 'own_tool_missing' },
  },
]

it('has a row for every call about one tool', () => {
  const about = Object.keys(calls).filter((path) => /^toolbox\/(\w+Tool|ownTool)$/.test(path))
  const known = new Set<string>([...matrix.map(({ call }) => call), 'toolbox/makeTool'])
  expect([...known].sort()).toEqual(about.sort())
})

it.each(matrix.map((row) => ({ ...row, name: `${row.call} of a ${row.kind}` })))('$name', async (row) => {
  const found: Partial<Rule> = {}
  // The owner last: what the owner does may change what others meet.
  for (const actor of [...actors].reverse()) {
    // The table's bodies are checked by the server as all bodies are.
    const body = { ...row.body, id: tools.get(row.kind) } as Body<typeof row.call>
    const { data, code } = await server.call(row.call, body, who(actor))
    found[actor] = data.error ?? (code === 10200 ? 'ok' : String(code))
  }
  expect(found).toEqual(row.rule)
})

it('is told nobody whom it was not given to', async () => {
  const seen: string[] = []
  for (const actor of actors.filter((one) => one !== 'anonymous')) {
    const { data } = await server.call('toolbox/ownTools', {}, who(actor))
    if (data.tools.some(({ id }) => id === tools.get('network'))) seen.push(actor)
  }
  expect(seen).toEqual(['owner', 'sharee', 'groupMember', 'withdrawn', 'expired', 'belowBronze'])
})
