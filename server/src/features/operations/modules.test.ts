import { roles } from '@neuroloom/contract/accounts/roles'
import { type Body, calls, type Path } from '@neuroloom/contract/calls'
import { CODE_UPLOAD_PATH } from '@neuroloom/contract/custom/code'
import { errors } from '@neuroloom/contract/errors'
import { type ModuleName, moduleNames } from '@neuroloom/contract/office/modules'
import { IMAGE_UPLOAD_PATH } from '@neuroloom/contract/social/attachment-kinds'
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { headersOf, makeServer, type Session, type TestServer } from '../../../test/harness.ts'
import { assignedDemand, deliverWork, makeOffer, makeProvider, postDemand } from '../../../test/market.ts'
import { makeBuyer } from '../../../test/payments/member.ts'
import { about } from '../../../test/shop.ts'
import { makeCalls, makePair } from '../../../test/social.ts'
import { features } from '../../features.ts'
import type { Row } from '../../http/row.ts'
import { auditEvents } from '../../infra/audit.ts'
import { newId } from '../../infra/ids.ts'
import { modulesOff } from '../../infra/modules/tables.ts'
import { holdings, listings } from '../shop/tables.ts'

const SUCCESS = 10200
const OFF = errors.module_off.code

let server: TestServer
let boss: Session
let who: Session
beforeAll(async () => {
  server = await makeServer()
  boss = await server.signUp({ role: roles.administrator })
  who = await server.signUp({ vipLevel: 4 })
})
afterEach(async () => {
  await server.ctx.db.delete(modulesOff)
  await server.ctx.modules.load()
})
afterAll(() => server.close())

const turn = (name: ModuleName, isOff: boolean, by = boss) =>
  server.call('office/switchModule', { name, isOff }, by)
const turnOff = async (name: ModuleName) => expect((await turn(name, true)).code).toBe(SUCCESS)
const setting = async () => (await server.call('setting/public', {})).data
/** Whatever the body: a module that is off is refused before anything is read. */
const codeOf = async (path: Path, by: Session) => (await server.call(path, {} as Body<Path>, by)).code

const rows = Object.assign({}, ...features.map((feature) => feature.rows ?? {})) as Record<Path, Row<Path>>
/** What begins something new there; of the social centre, which is closed altogether, what needs no body. */
function beginningsOf(module: ModuleName): Path[] {
  const paths = Object.keys(calls) as Path[]
  if (module === 'social')
    return paths.filter((path) => path.startsWith('social/') && calls[path].request.safeParse({}).success)
  return paths.filter((path) => {
    const row = rows[path]
    return row.access !== 'anyone' && row.module === module
  })
}
const post = async (path: string, type: string, by: Session): Promise<number> => {
  const headers = { 'content-type': type, ...headersOf(by) }
  const body = Buffer.from('no matter')
  const response = await fetch(`${server.url}/AI/api/${path}`, { method: 'POST', headers, body })
  return ((await response.json()) as { code: number }).code
}

describe('a module', () => {
  it.each(['social', 'shop', 'market', 'custom'] as const)(
    '%s begins nothing new while it is off',
    async (name) => {
      const beginnings = beginningsOf(name)
      expect(beginnings.length).toBeGreaterThan(2)
      await turnOff(name)
      expect((await setting()).off).toEqual([name])
      for (const path of beginnings) expect(await codeOf(path, who), path).toBe(OFF)
      expect((await turn(name, false)).code).toBe(SUCCESS)
      expect((await setting()).off).toEqual([])
      for (const path of beginnings) expect(await codeOf(path, who), path).not.toBe(OFF)
    },
  )

  it('takes no bytes while it is off', async () => {
    await turnOff('code')
    await turnOff('social')
    expect(await post(`${CODE_UPLOAD_PATH}?name=code.zip`, 'application/zip', who)).toBe(OFF)
    expect(await post(IMAGE_UPLOAD_PATH, 'application/octet-stream', who)).toBe(OFF)
    expect((await server.call('codeUpload/list', {}, who)).code).toBe(SUCCESS)
  })

  it('is off in every process at once, and after a restart', async () => {
    const { databaseUrl = '' } = server.ctx.config
    const other = await makeServer({ databaseUrl })
    const isOff = () => other.ctx.modules.isOff('shop')
    await turnOff('shop')
    await expect.poll(isOff).toBe(true)
    expect((await other.call('shop/methods', {}, who)).code).toBe(OFF)
    const fresh = await makeServer({ databaseUrl })
    await fresh.ctx.modules.load()
    expect((await fresh.call('setting/public', {})).data.off).toEqual(['shop'])
    await turn('shop', false)
    await expect.poll(isOff).toBe(false)
    await other.close()
    await fresh.close()
  })

  it('is switched by administrators alone, and each change is one event', async () => {
    expect((await turn('market', true, who)).code).toBe(errors.not_allowed.code)
    expect((await server.call('office/modules', {}, who)).code).toBe(errors.not_allowed.code)
    const { data } = await server.call('office/modules', {}, boss)
    expect(data.modules).toEqual(moduleNames.map((name) => ({ name, isOff: false, since: null })))
    const both = await Promise.all([turn('market', true), turn('market', true)])
    for (const { data: shown } of both)
      expect(shown.modules.find(({ name }) => name === 'market')?.since).not.toBeNull()
    await turn('market', false)
    const events = await server.ctx.db
      .select({ actor: auditEvents.actor, before: auditEvents.before, after: auditEvents.after })
      .from(auditEvents)
      .where(eq(auditEvents.subject, 'module:market'))
      .orderBy(auditEvents.id)
    const [on, off] = [{ isOff: false }, { isOff: true }]
    // The first test has switched it, too.
    expect(events.slice(-2)).toEqual([
      { actor: boss.userId, before: on, after: off },
      { actor: boss.userId, before: off, after: on },
    ])
  })

  it('that a hospital’s own server has not cannot be switched there', async () => {
    const own = await makeServer({ deployment: 'private' })
    const chief = await own.signUp({ role: roles.administrator })
    const { data } = await own.call('office/modules', {}, chief)
    expect(data.modules.map(({ name }) => name)).toEqual(['code'])
    const wrong = await own.call('office/switchModule', { name: 'shop', isOff: false }, chief)
    expect(wrong.code).toBe(errors.not_found.code)
    await own.close()
  })
})

describe('while registration is off', () => {
  it('nobody makes an account, and a forgotten password is renewed', async () => {
    await turnOff('registration')
    expect(await setting()).toMatchObject({ registration: false, renewal: true, mail: true })
    const code = (purpose: 'register' | 'forget') =>
      server.call('user/mailcode', { email: 'nurse@example.test', purpose }, null)
    expect((await code('register')).code).toBe(errors.registration_closed.code)
    expect((await code('forget')).code).not.toBe(errors.registration_closed.code)
    const made = await server.call('user/register', {
      type: 0,
      phone: '+8613800138000',
      code: '123456',
      nickName: 'Radiology',
      password: 'correct horse 1',
      agreement: true,
    })
    expect(made.code).toBe(errors.registration_closed.code)
  })
})

describe('what was begun before goes on', () => {
  it('in the market: work that is paid is delivered and accepted, and only those who take part see it', async () => {
    const [owner, provider] = [await makeBuyer(server), await makeProvider(server)]
    const { id } = await assignedDemand(server, { owner, provider })
    const { id: openId } = await postDemand(server, owner)
    await makeOffer(server, provider, { demandId: openId })
    await turnOff('market')
    const deliveryId = await deliverWork(server, provider, { id })
    const { data } = await server.call('demand/accept', { id, deliveryId }, owner)
    expect(data.state).toBe('accepted')
    expect((await server.call('demand/list', { list: 'own' }, owner)).data.total).toBe(2)
    expect((await server.call('demand/list', { list: 'open' }, owner)).code).toBe(OFF)
    expect((await server.call('demand/detail', { id: openId }, owner)).code).toBe(SUCCESS)
    expect((await server.call('demand/detail', { id: openId }, who)).code).toBe(OFF)
    expect((await server.call('demand/withdraw', { id: openId }, owner)).code).toBe(SUCCESS)
  })

  it('in the shop: its seller and who has a model see it, nobody else', async () => {
    const [seller, holder] = [await server.signUp(), await server.signUp()]
    const [id, at] = [newId(), server.ctx.now()]
    await server.ctx.db.insert(listings).values({
      ...{ id, sellerId: seller.userId, name: 'Finder', rules: 1, version: 1, about, priceYuan: 20 },
      ...{ createdAt: at, listedAt: at },
      state: 'listed',
      task: 'classification',
    })
    await server.ctx.db
      .insert(holdings)
      .values({ userId: holder.userId, listingId: id, way: 'given', since: at })
    await turnOff('shop')
    const codes = await Promise.all(
      [seller, holder, who].map(async (one) => (await server.call('shop/reviews', { id }, one)).code),
    )
    expect(codes).toEqual([SUCCESS, SUCCESS, OFF])
    expect((await server.call('shop/list', {}, who)).code).toBe(OFF)
    expect((await server.call('shop/list', { held: true }, holder)).code).toBe(SUCCESS)
  })

  it('in custom tasks: a request is reviewed, and its member sees it', async () => {
    const asked = {
      kind: 'customisation',
      title: 'Nuclei',
      task: 'segmentation',
      description: 'All.',
    } as const
    const { data: task } = await server.call(
      'customTask/create',
      { requestId: 'request-before-off', ...asked },
      who,
    )
    await turnOff('custom')
    const decision = { is: 'approved', priceFen: 90_000 } as const
    expect((await server.call('office/customTask', { id: task.id, decision }, boss)).code).toBe(SUCCESS)
    expect((await server.call('customTask/detail', { id: task.id }, who)).data.state).toBe('unpaid')
  })

  it('in the social centre nothing but what administrators decide', async () => {
    const { doctor, chatId } = await makePair(server)
    await makeCalls(server).send(doctor, chatId, 'Hello')
    await turnOff('social')
    expect((await server.call('social/messages', { chatId }, doctor)).code).toBe(OFF)
    expect((await server.call('office/socialReports', { state: 'open', after: null }, boss)).code).toBe(
      SUCCESS,
    )
    await turn('social', false)
    expect((await server.call('social/messages', { chatId }, doctor)).code).toBe(SUCCESS)
  })
})
