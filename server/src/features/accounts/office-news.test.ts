import { randomUUID } from 'node:crypto'
import type { OfficeNews } from '@neuroloom/contract/accounts/accounts'
import { roles } from '@neuroloom/contract/accounts/roles'
import { CODE_UPLOAD_PATH } from '@neuroloom/contract/custom/code'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { headersOf, makeServer, type Session, type TestServer } from '../../../test/harness.ts'
import { assignedDemand, deliverWork, makeProvider } from '../../../test/market.ts'
import { makeBuyer, payFor } from '../../../test/payments/member.ts'
import { makeMember } from '../../../test/social.ts'
import { earn, withdraw } from '../../../test/wallet.ts'
import { zipOf } from '../../../test/zip.ts'
import { tellOfWork } from './administrators.ts'

const SUCCESS = 10200

let server: TestServer
let office: Session
beforeAll(async () => {
  server = await makeServer()
  office = await server.signUp({ role: roles.administrator })
})
afterAll(() => server.close())

/** As the worker does: what was queued since, each once. */
async function tellQueued(): Promise<OfficeNews[]> {
  const { rows } = await server.ctx.pool.query<{ data: { kind: OfficeNews } }>(
    `delete from pgboss.job where name = 'administrators.tell' returning data`,
  )
  const kinds = rows.map(({ data }) => data.kind)
  for (const kind of kinds) await tellOfWork(server.ctx, kind)
  return kinds
}
const box = async (who: Session) => (await server.call('notice/list', {}, who)).data.items
const toldOf = async (who: Session, kind: OfficeNews) =>
  (await box(who)).filter((one) => one.kind === kind).length
async function readAll(): Promise<void> {
  const [newest] = await box(office)
  if (newest) await server.call('notice/read', { id: newest.id }, office)
}

const askCustom = (who: Session, kind: 'customisation' | 'tuning' = 'customisation') =>
  server.call(
    'customTask/create',
    { requestId: randomUUID(), kind, title: 'Nuclei', task: 'segmentation', description: 'Outlines.' },
    who,
  )

/** What a member does, and what administrators are told of it. */
const deeds: { kind: OfficeNews; deed: () => Promise<unknown> }[] = [
  {
    kind: 'office_withdrawal',
    async deed() {
      const who = await server.signUp()
      await earn(server, who, 50_000)
      await withdraw(server, who, 1_000)
    },
  },
  {
    kind: 'office_custom_task',
    deed: async () => expect((await askCustom(await server.signUp({ vipLevel: 4 }))).code).toBe(SUCCESS),
  },
  {
    kind: 'office_code',
    async deed() {
      const bytes = zipOf([{ name: 'segmentation/main.py', bytes: Buffer.from('print(1)\n') }])
      const response = await fetch(`${server.url}/AI/api/${CODE_UPLOAD_PATH}?name=code.zip`, {
        method: 'POST',
        headers: { 'content-type': 'application/zip', ...headersOf(await server.signUp()) },
        body: new Uint8Array(bytes),
      })
      expect(await response.json()).toMatchObject({ code: SUCCESS })
    },
  },
  {
    kind: 'office_report',
    async deed() {
      const [author, reader] = [await makeMember(server, 'Author'), await makeMember(server, 'Reader')]
      const { data } = await server.call(
        'social/createPost',
        { requestId: 'request-1', text: 'Pills' },
        author,
      )
      const about = { kind: 'post', targetId: data.id, reason: 'spam' } as const
      expect((await server.call('social/report', about, reader)).code).toBe(SUCCESS)
      // The same report again is none.
      expect((await server.call('social/report', about, reader)).code).toBe(SUCCESS)
    },
  },
  {
    kind: 'office_dispute',
    async deed() {
      const [owner, provider] = [await makeBuyer(server), await makeProvider(server)]
      const { id } = await assignedDemand(server, { owner, provider })
      await deliverWork(server, provider, { id })
      expect((await server.call('demand/dispute', { id, reason: 'Half is missing' }, owner)).code).toBe(
        SUCCESS,
      )
    },
  },
]

describe('administrators', () => {
  it.each(deeds)('are told once of $kind while they have not read it, and again afterwards', async (one) => {
    const before = await toldOf(office, one.kind)
    await one.deed()
    expect(await tellQueued()).toEqual([one.kind])
    expect(await toldOf(office, one.kind)).toBe(before + 1)
    await one.deed()
    await tellQueued()
    expect(await toldOf(office, one.kind)).toBe(before + 1)
    await readAll()
    await one.deed()
    await tellQueued()
    expect(await toldOf(office, one.kind)).toBe(before + 2)
  })

  it('learn of a request with a fixed price when it is paid, and of one that is handed in again', async () => {
    const who = await server.signUp({ vipLevel: 4 })
    await server.call('office/customPrice', { kind: 'tuning', priceFen: 90_000 }, office)
    const { data: task } = await askCustom(who, 'tuning')
    expect([task.state, await tellQueued()]).toEqual(['unpaid', []])
    const order = { id: task.id, priceFen: 90_000, payMethod: 1 }
    const { data: paid } = await server.call('customTask/pay', order, who)
    expect((await payFor(server, paid.orderNo)).status).toBe(200)
    expect(await tellQueued()).toEqual(['office_custom_task'])

    const { data: free } = await askCustom(who)
    const rejected = { is: 'rejected', reason: 'Say which data.' } as const
    await server.call('office/customTask', { id: free.id, decision: rejected }, office)
    await tellQueued()
    const again = { id: free.id, title: 'Nuclei', task: 'segmentation', description: 'Of these.' } as const
    expect((await server.call('customTask/resubmit', again, who)).code).toBe(SUCCESS)
    expect(await tellQueued()).toEqual(['office_custom_task'])
  })

  it('are those who can sign in: nobody else is told', async () => {
    const [member, blocked] = [await server.signUp(), await server.signUp({ role: roles.administrator })]
    await server.call('members/block', { id: blocked.userId, isBlocked: true }, office)
    await tellOfWork(server.ctx, 'office_code')
    const { rows } = await server.ctx.pool.query<{ user_id: string }>(
      `select user_id from notices where kind = 'office_code' and user_id = any($1)`,
      [[member.userId, blocked.userId]],
    )
    expect(rows).toEqual([])
  })

  it('are told once, too, when many members ask at the same moment', async () => {
    await readAll()
    const before = await toldOf(office, 'office_report')
    await Promise.all(Array.from({ length: 8 }, () => tellOfWork(server.ctx, 'office_report')))
    expect(await toldOf(office, 'office_report')).toBe(before + 1)
  })
})
