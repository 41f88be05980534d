import { runMail } from '@neuroloom/contract/limits'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../../test/harness.ts'
import { makeTrainingSet, startQuick, type TrainingSet } from '../../../../test/training.ts'
import { users } from '../../accounts/tables.ts'
import { runs } from '../tables.ts'
import { sendLetter } from './letters.ts'
import { claim, giveUp, holdOf } from './queue.ts'

let server: TestServer
let session: Session
let set: TrainingSet
const project = 'Project of Jane Doe'

beforeAll(async () => {
  server = await makeServer()
  session = await server.signUp({ vipSuper: 1 })
  set = await makeTrainingSet(server, session, { name: 'Jane Doe' })
})
afterAll(() => server.close())

const wish = (runMail: boolean) => server.call('user/edit', { userId: session.userId, runMail }, session)

/** A training that fails so long after its start; answers what is to be sent about it. */
async function failed({ afterMs }: { afterMs: number }) {
  const { id } = await startQuick(server, session, { set })
  const began = sql`now() - ${afterMs} * interval '1 millisecond'`
  await server.ctx.db.update(runs).set({ createdAt: began }).where(eq(runs.id, id))
  const send = vi.spyOn(server.ctx.jobs, 'send')
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    const run = await claim(server.ctx, 'w')
    if (run) await giveUp(server.ctx, holdOf(run))
  }
  const queued = send.mock.calls.filter(([, name]) => name === 'runs.letter').map(([, , data]) => data)
  send.mockRestore()
  return { id, queued }
}

it('a run that took minutes is told by e-mail to whoever wishes it, and to nobody else', async () => {
  const long = { afterMs: 2 * runMail.afterMs }
  expect((await failed(long)).queued).toEqual([])
  expect((await wish(true)).data.runMail).toBe(true)
  expect((await failed({ afterMs: 0 })).queued).toEqual([])
  const { id, queued } = await failed(long)
  expect(queued).toEqual([
    { userId: session.userId, runId: id, kind: 'train', number: expect.any(Number), end: 'failed' },
  ])
})

it('the e-mail is in the member’s language, leads to the run, and names neither project nor data', async () => {
  await server.ctx.db
    .update(users)
    .set({ email: 'reader@hospital.test', runMail: true, language: 'ru' })
    .where(eq(users.id, session.userId))
  const sent: { to: string; subject: string; text: string }[] = []
  const messages = {
    ...server.ctx.messages,
    canMail: true,
    sendMail: async (mail: (typeof sent)[0]) => void sent.push(mail),
  }
  const ctx = { ...server.ctx, messages, config: { ...server.ctx.config, publicUrl: 'https://loom.test' } }
  const letter = { userId: session.userId, runId: 'r1', kind: 'train', number: 3, end: 'done' } as const
  await sendLetter(ctx, letter)
  expect(sent).toEqual([
    {
      to: expect.stringContaining('@'),
      subject: 'Neuroloom: Обучение 3 — готово',
      text: expect.stringContaining('https://loom.test/run?id=r1'),
    },
  ])
  expect(sent[0]?.text).not.toContain(project)
  expect(sent[0]?.text).not.toContain('Jane')
  // Thought better of it before it was sent.
  await wish(false)
  await sendLetter(ctx, letter)
  await sendLetter({ ...ctx, messages: { ...messages, canMail: false } }, letter)
  expect(sent).toHaveLength(1)
})
