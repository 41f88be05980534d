/** Studies are nobody else's: everybody times every call. A call that is not in the table fails here. */
import { roles } from '@neuroloom/contract/accounts/roles'
import type { Body, Path } from '@neuroloom/contract/calls'
import { flowCalls } from '@neuroloom/contract/flow/calls'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { agreed, type FlowTest, makeFlowTest, niftis } from '../../../test/flow.ts'
import type { Session } from '../../../test/harness.ts'
import { flowStudies } from './tables.ts'

let at: FlowTest
let stage: Stage
beforeAll(async () => {
  at = await makeFlowTest()
  stage = await makeStage()
})
afterAll(() => at.close())

/** `colleague`: with whom the folder is shared of which the study was made. */
const actors = ['owner', 'colleague', 'stranger', 'administrator', 'visitor'] as const
type Actor = (typeof actors)[number]
type Rule = Record<Actor, string>
type Stage = Awaited<ReturnType<typeof makeStage>>

async function makeStage() {
  const owner = await at.server.signUp({ vipLevel: 4 })
  const colleague = await at.server.signUp({ vipLevel: 2 })
  const people: Record<Actor, Session | null> = {
    ...{ owner, colleague, stranger: await at.server.signUp({ vipLevel: 2 }), visitor: null },
    administrator: await at.server.signUp({ role: roles.administrator, vipLevel: 2 }),
  }
  const folder = await at.put(owner, niftis())
  await at.server.call('files/share', { id: folder, account: colleague.account, permission: 'view' }, owner)
  const study = await at.make(owner, await at.open(owner, folder))
  return { people, folder, study }
}

const hidden: Rule = {
  ...{ owner: 'ok', colleague: 'study_missing', stranger: 'study_missing', administrator: 'study_missing' },
  visitor: 'not_signed_in',
}
const members: Rule = { ...hidden, colleague: 'ok', stranger: 'ok', administrator: 'ok' }
const viewers: Rule = { ...members, stranger: 'missing', administrator: 'missing' }

type Row<P extends Path = Path> = { call: P; body: (at: Stage) => Body<P>; rule: Rule }
const row = <P extends Path>(call: P, body: (at: Stage) => Body<P>, rule: Rule): Row =>
  ({ call, body, rule }) as Row

/** What ends it stands last; its owner comes last of all. */
const matrix: readonly Row[] = [
  row('flow/studies', () => ({}), members),
  row('flow/open', ({ folder }) => ({ ids: [folder] }), viewers),
  row('flow/phantom', () => ({ phantom: 'linear', scan: { side: 16 } }), members),
  row('flow/study', ({ study }) => ({ id: study.id }), hidden),
  row('flow/rename', ({ study }) => ({ id: study.id, name: 'Otherwise' }), hidden),
  row('flow/retry', ({ study }) => ({ id: study.id }), hidden),
  row('flow/settle', ({ study }) => ({ id: study.id, answer: agreed(study) }), hidden),
  row('flow/remove', ({ study }) => ({ id: study.id }), hidden),
]

it('has a row for every call about studies', () => {
  // Those about projects and runs stand in their matrix.
  expect(matrix.map(({ call }) => call).sort()).toEqual(Object.keys(flowCalls).sort())
})

it.each(matrix)('$call', async ({ call, body, rule }) => {
  const outcomes: Partial<Rule> = {}
  for (const actor of [...actors].reverse()) {
    const before = await at.server.ctx.db.select().from(flowStudies)
    const reply = await at.server.call(call, body(stage) as never, stage.people[actor])
    const data: { error?: string } = reply.data
    outcomes[actor] = data.error ?? (reply.code === 10200 ? 'ok' : String(reply.code))
    if (outcomes[actor] === 'ok') continue
    // Whoever is refused changes nothing and learns nothing.
    expect(await at.server.ctx.db.select().from(flowStudies)).toEqual(before)
    expect(JSON.stringify(reply)).not.toContain(stage.study.name)
  }
  expect(outcomes).toEqual(rule)
})

it('shows each member the own studies alone, and their values in no other session', async () => {
  const { colleague, stranger } = stage.people
  expect(
    (await at.server.call('flow/studies', {}, colleague)).data.studies.map(({ id }) => id),
  ).not.toContain(stage.study.id)
  const { data } = await at.server.call('flow/phantom', { phantom: 'linear', scan: { side: 16 } }, stranger)
  if (!stranger) throw new Error('Nobody is signed in')
  const { values } = await at.done(stranger, data.id)
  expect((await fetch(at.server.url + values)).status).toBe(200)
  await at.server.call('user/logout', {}, stranger)
  expect((await fetch(at.server.url + values)).status).not.toBe(200)
})
