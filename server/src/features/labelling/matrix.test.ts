/** Who may do what with a set that is read blind: one table, everybody times every call. A labelling call that is not in it fails here. */
import { type Body, calls, type Path } from '@neuroloom/contract/calls'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../test/harness.ts'
import { boxThing, makeSet, nameReader, settings, stepOf } from '../../../test/labels.ts'

let server: TestServer
let stage: Stage
beforeAll(async () => {
  server = await makeServer()
  stage = await makeStage()
})
afterAll(() => server.close())

/** `editor` and `viewer`: whom its project is shared with; `exReader` was named once. */
const actors = ['owner', 'reviewer', 'reader', 'editor', 'viewer', 'exReader', 'stranger', 'visitor'] as const
type Actor = (typeof actors)[number]
type Rule = Record<Actor, string>
type Stage = Awaited<ReturnType<typeof makeStage>>

async function makeStage() {
  const people = await Promise.all(actors.map(async () => server.signUp()))
  const sessions = Object.fromEntries(actors.map((name, index) => [name, people[index]])) as Record<
    Actor,
    (typeof people)[number] // One for each of the names.
  >
  const { owner } = sessions
  const { data: project } = await server.call(
    'projects/create',
    { name: 'Kidneys', task: 'detection' },
    owner,
  )
  for (const [name, permission] of [
    ['editor', 'edit'],
    ['viewer', 'view'],
  ] as const) {
    const { account } = sessions[name]
    await server.call('projects/share', { id: project.id, account, permission }, owner)
  }
  const { id, folderId, items } = await makeSet(server, owner, { projectId: project.id })
  const named = { setId: id, permission: 'read' as const }
  await nameReader(server, { ...named, reader: sessions.reviewer, permission: 'review' })
  const asReader = await nameReader(server, { ...named, reader: sessions.reader })
  const asExReader = await nameReader(server, { ...named, reader: sessions.exReader })
  await server.call('labelling/removeReader', { readerId: asExReader }, owner)
  const itemId = items[0]?.id ?? ''
  const { data: opened } = await server.call('labelling/open', { itemId }, owner)
  const readingId = opened.reading?.id ?? ''
  const steps = [stepOf({ do: 'thing', before: null, after: boxThing('box') })]
  await server.call('labelling/save', { readingId, after: 0, steps }, owner)
  await server.call('labelling/setState', { readingId, state: 'done' }, owner)
  const said = await server.call('labelling/comment', { itemId, readingId, text: 'So' }, owner)
  const { data: exchange } = await server.call('labelling/exportPlan', { id, whose: 'mine' }, owner)
  const { data: spare } = await server.call('labelling/exportPlan', { id, whose: 'mine' }, owner)
  return {
    ...{ sessions, id, folderId, itemId, readingId, asReader, commentId: said.data.id },
    ...{ exchangeId: exchange.id, spareId: spare.id, projectId: project.id },
  }
}

const signedOut = { visitor: 'not_signed_in' }
const everybody = (outcome: string): Rule => ({
  ...{ owner: outcome, reviewer: outcome, reader: outcome, editor: outcome, viewer: outcome },
  ...{ exReader: outcome, stranger: outcome, ...signedOut },
})
/** Whoever sees the set; for all others it is not there. */
const seen = (missing: string, outcome = 'ok'): Rule => ({
  ...everybody(missing),
  ...{ owner: outcome, reviewer: outcome, reader: outcome, editor: outcome },
})
const judges = (missing: string, refused = 'not_allowed'): Rule => ({
  ...seen(missing),
  ...{ reader: refused, editor: refused },
})
const owners = (missing: string, refused = 'not_allowed'): Rule => ({
  ...judges(missing, refused),
  reviewer: refused,
})

type Row<P extends Path = Path> = { call: P; what?: string; body: (at: Stage) => Body<P>; rule: Rule }
const row = <P extends Path>(one: Row<P>): Row => one as unknown as Row // Rows of a table hold calls of many kinds.

const matrix = [
  row({
    call: 'labelling/create',
    body: ({ folderId }) => ({ ...settings, folderId }),
    rule: owners('missing', 'missing'),
  }),
  row({
    call: 'labelling/change',
    body: ({ id }) => ({ ...settings, id }),
    rule: owners('label_set_missing'),
  }),
  row({ call: 'labelling/list', body: () => ({}), rule: everybody('ok') }),
  row({
    call: 'labelling/list',
    what: 'of its project',
    body: ({ projectId }) => ({ projectId }),
    rule: { ...everybody('project_missing'), owner: 'ok', editor: 'ok', viewer: 'ok' },
  }),
  row({ call: 'labelling/detail', body: ({ id }) => ({ id }), rule: seen('label_set_missing') }),
  row({ call: 'labelling/gather', body: ({ id }) => ({ id }), rule: owners('label_set_missing') }),
  row({ call: 'labelling/items', body: ({ id }) => ({ id }), rule: seen('label_set_missing') }),
  row({
    call: 'labelling/items',
    what: 'by the readings of all',
    body: ({ id }) => ({ id, of: 'all' }),
    rule: judges('label_set_missing'),
  }),
  row({ call: 'labelling/open', body: ({ itemId }) => ({ itemId }), rule: seen('label_item_missing') }),
  row({
    call: 'labelling/open',
    what: "another one's reading",
    body: ({ itemId, readingId }) => ({ itemId, readingId }),
    rule: judges('label_item_missing', 'label_item_missing'),
  }),
  row({
    call: 'labelling/save',
    body: ({ readingId }) => ({ readingId, after: 0, steps: [] }),
    rule: judges('reading_missing', 'reading_missing'),
  }),
  row({
    call: 'labelling/save',
    what: "into another one's reading",
    body: ({ readingId }) => ({
      readingId,
      after: 0,
      steps: [stepOf({ do: 'tags', before: [], after: ['cyst'] })],
    }),
    rule: { ...judges('reading_missing', 'reading_missing'), reviewer: 'not_allowed' },
  }),
  row({
    call: 'labelling/steps',
    body: ({ readingId }) => ({ readingId }),
    rule: judges('reading_missing', 'reading_missing'),
  }),
  row({
    call: 'labelling/minutes',
    body: ({ readingId }) => ({ readingId }),
    rule: judges('reading_missing', 'reading_missing'),
  }),
  row({
    call: 'labelling/asOf',
    body: ({ readingId }) => ({ readingId, seq: 1 }),
    rule: judges('reading_missing', 'reading_missing'),
  }),
  row({
    call: 'labelling/setState',
    body: ({ readingId }) => ({ readingId, state: 'done' }),
    rule: judges('reading_missing', 'reading_missing'),
  }),
  row({ call: 'labelling/readings', body: ({ itemId }) => ({ itemId }), rule: seen('label_item_missing') }),
  row({ call: 'labelling/agreement', body: ({ id }) => ({ id }), rule: judges('label_set_missing') }),
  row({
    call: 'labelling/adjudicate',
    body: ({ itemId, readingId }) => ({ itemId, readingIds: [readingId] }),
    rule: judges('label_item_missing'),
  }),
  row({
    call: 'labelling/useAsData',
    what: 'of a project that is not there',
    body: ({ id }) => ({ id, projectId: 'none', from: 'mine' }),
    rule: seen('label_set_missing', 'project_missing'),
  }),
  row({
    call: 'labelling/useAsData',
    what: "of others' readings",
    body: ({ id }) => ({ id, projectId: 'none', from: 'newest' }),
    rule: { ...judges('label_set_missing'), owner: 'project_missing', reviewer: 'project_missing' },
  }),
  row({
    call: 'labelling/exportPlan',
    body: ({ id }) => ({ id, whose: 'mine' }),
    rule: { ...seen('label_set_missing'), owner: 'ok' },
  }),
  row({
    call: 'labelling/exportPlan',
    what: "of others' readings",
    body: ({ id }) => ({ id, whose: 'newest' }),
    rule: { ...judges('label_set_missing'), owner: 'ok' },
  }),
  row({
    call: 'labelling/importPlan',
    what: "of the owner's folder",
    body: ({ id, folderId }) => ({ id, folderId }),
    rule: { ...seen('label_set_missing', 'missing'), owner: 'ok' },
  }),
  row({
    call: 'labelling/export',
    what: 'that is still looked at',
    body: ({ exchangeId }) => ({ exchangeId, format: 'coco' }),
    rule: { ...everybody('exchange_missing'), owner: 'exchange_state' },
  }),
  row({
    call: 'labelling/import',
    what: 'that is an export',
    body: ({ exchangeId }) => ({ exchangeId, merge: 'add', classes: [] }),
    rule: { ...everybody('exchange_missing'), owner: 'exchange_state' },
  }),
  row({ call: 'labelling/exchanges', body: ({ id }) => ({ id }), rule: seen('label_set_missing') }),
  row({
    call: 'labelling/cancelExchange',
    body: ({ spareId }) => ({ exchangeId: spareId }),
    rule: { ...everybody('exchange_missing'), owner: 'ok' },
  }),
  row({ call: 'labelling/readers', body: ({ id }) => ({ id }), rule: owners('label_set_missing') }),
  row({
    call: 'labelling/addReader',
    what: 'who is there already',
    body: ({ id, sessions }) => ({ id, account: sessions.reader.account, permission: 'read' }),
    rule: { ...owners('label_set_missing'), owner: 'share_twice' },
  }),
  row({
    call: 'labelling/changeReader',
    body: ({ asReader }) => ({ readerId: asReader, permission: 'read' }),
    rule: owners('missing', 'missing'),
  }),
  row({
    call: 'labelling/comments',
    body: ({ itemId }) => ({ itemId }),
    rule: seen('label_item_missing'),
  }),
  row({
    call: 'labelling/comment',
    body: ({ itemId }) => ({ itemId, text: 'so' }),
    rule: seen('label_item_missing'),
  }),
  row({
    call: 'labelling/comment',
    what: "on another one's marks",
    body: ({ itemId, readingId }) => ({ itemId, readingId, text: 'so' }),
    rule: judges('label_item_missing', 'reading_missing'),
  }),
  row({
    call: 'labelling/resolveComment',
    body: ({ commentId }) => ({ commentId, isResolved: true }),
    rule: judges('comment_missing', 'comment_missing'),
  }),
  row({
    call: 'labelling/removeComment',
    body: ({ commentId }) => ({ commentId }),
    rule: { ...judges('comment_missing', 'comment_missing'), reviewer: 'not_allowed' },
  }),
  row({ call: 'labelling/helpers', body: ({ id }) => ({ id }), rule: seen('label_set_missing') }),
  row({
    call: 'labelling/chooseHelper',
    what: 'that is not there',
    body: ({ id }) => ({ id, runId: 'none', classes: [null, 'cyst'], order: 'random', every: null }),
    rule: seen('label_set_missing', 'run_missing'),
  }),
  row({
    call: 'labelling/propose',
    what: 'without a network',
    body: ({ id, itemId }) => ({ id, itemIds: [itemId] }),
    rule: seen('label_set_missing', 'helper_missing'),
  }),
  row({ call: 'labelling/proposal', body: ({ itemId }) => ({ itemId }), rule: seen('label_item_missing') }),
  row({
    call: 'labelling/judge',
    what: 'what was not proposed',
    body: () => ({ proposalId: 'none', judged: [{ number: 1, judgement: null }] }),
    rule: everybody('proposal_missing'),
  }),
  row({ call: 'labelling/nextItem', body: ({ id }) => ({ id }), rule: seen('label_set_missing') }),
  row({ call: 'labelling/rounds', body: ({ id }) => ({ id }), rule: seen('label_set_missing') }),
  row({
    call: 'labelling/train',
    what: 'without a network',
    body: ({ id }) => ({ id }),
    rule: seen('label_set_missing', 'helper_missing'),
  }),
  // What ends rights comes last; the owner of each thing asks last of all.
  row({
    call: 'labelling/leave',
    body: ({ id }) => ({ id }),
    rule: { ...seen('label_set_missing', 'missing'), reviewer: 'ok' },
  }),
  row({
    call: 'labelling/removeReader',
    body: ({ asReader }) => ({ readerId: asReader }),
    rule: owners('missing', 'missing'),
  }),
  row({
    call: 'labelling/remove',
    body: ({ id }) => ({ id }),
    rule: { ...owners('label_set_missing'), reviewer: 'label_set_missing', reader: 'label_set_missing' },
  }),
]

it('has a row for each call of labelling', () => {
  const told = new Set(matrix.map(({ call }) => call))
  // Object.keys forgets which keys the table has.
  const all = (Object.keys(calls) as Path[]).filter((path) => path.startsWith('labelling/'))
  expect(all.filter((path) => !told.has(path))).toEqual([])
})

it('each call is open to whom it is meant for, and tells all others nothing', async () => {
  const told: string[] = []
  const meant: string[] = []
  for (const { call, what = '', body, rule } of matrix) {
    // Leaving is the reader's own; it is asked of the reader by removeReader alone.
    const asked = actors.filter((actor) => !(call === 'labelling/leave' && actor === 'reader'))
    for (const actor of [...asked.filter((one) => one !== 'owner'), 'owner' as const]) {
      const who: Session | null = actor === 'visitor' ? null : stage.sessions[actor]
      const { code, data } = await server.call(call, body(stage), who)
      const failure = 'error' in data ? String(data.error) : ''
      told.push(`${call} ${what} ${actor}: ${code === 10200 ? 'ok' : failure}`)
      meant.push(`${call} ${what} ${actor}: ${rule[actor]}`)
    }
  }
  expect(told).toEqual(meant)
})
