import { roles } from '@neuroloom/contract/accounts/roles'
import { market as limits } from '@neuroloom/contract/limits'
import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../test/harness.ts'
import { dicomSlice } from '../../../test/images.ts'
import {
  assignedDemand,
  deliverWork,
  demandForm,
  makeOffer,
  makeProvider,
  orderWork,
  postDemand,
} from '../../../test/market.ts'
import { makeBuyer, setMember } from '../../../test/payments/member.ts'
import { upload } from '../../../test/uploads.ts'
import { shares } from '../files/sharing/tables.ts'
import { files } from '../files/tables.ts'
import { findFaults } from '../ledger/service.ts'

let server: TestServer
let owner: Session
let provider: Session
beforeAll(async () => {
  server = await makeServer()
  owner = await makeBuyer(server, { vipLevel: 4 })
  provider = await makeProvider(server)
})
afterAll(async () => {
  expect(await findFaults(server.ctx.db)).toEqual([])
  await server.close()
})

const OK = 10200
const errorOf = async (reply: ReturnType<TestServer['call']>) => (await reply).data.error
const idOf = async (who: Session, name: string): Promise<string> => {
  const [row] = await server.ctx.db
    .select()
    .from(files)
    .where(and(eq(files.name, name), eq(files.ownerId, who.userId)))
  return row?.id ?? ''
}
async function folderOf(who: Session, name: string): Promise<string> {
  await upload(server, who, { files: [{ path: `${name}/one.txt`, bytes: Buffer.from(name) }] })
  return idOf(who, name)
}
async function fileOf(who: Session, name: string): Promise<string> {
  await upload(server, who, { files: [{ path: name, bytes: Buffer.from(name) }] })
  return idOf(who, name)
}
const sees = async (who: Session, folderId: string): Promise<boolean> =>
  (await server.call('files/list', { folderId }, who)).code === OK
const detail = async (id: string, who: Session) => (await server.call('demand/detail', { id }, who)).data

describe('the data of a demand', () => {
  test('are seen by the provider from the payment to the acceptance, and by nobody else', async () => {
    const folder = await folderOf(owner, 'scans')
    const { id } = await postDemand(server, owner, { folderIds: [folder] })
    const rival = await makeProvider(server)
    await makeOffer(server, rival, { demandId: id })
    await makeOffer(server, provider, { demandId: id })
    expect(await detail(id, provider)).toMatchObject({ folders: 1, data: [] })
    expect((await detail(id, owner)).data).toEqual([{ id: folder, name: 'scans' }])
    expect(await sees(provider, folder)).toBe(false)
    await orderWork(server, { owner, provider, demandId: id })
    expect([await sees(provider, folder), await sees(rival, folder)]).toEqual([true, false])
    expect((await detail(id, provider)).data).toEqual([{ id: folder, name: 'scans' }])
    expect((await detail(id, rival)).data).toEqual([])
    const deliveryId = await deliverWork(server, provider, { id })
    expect(await sees(provider, folder)).toBe(true)
    await server.call('demand/accept', { id, deliveryId }, owner)
    expect(await sees(provider, folder)).toBe(false)
    expect((await detail(id, provider)).data).toEqual([])
  })

  test('end with a decision and when the provider gives up; a share of its own stays as it is', async () => {
    const chief = await server.signUp({ role: roles.administrator })
    const folder = await folderOf(owner, 'disputed')
    const given = await folderOf(owner, 'given before')
    await server.ctx.db.insert(shares).values({
      ...{ id: 'before', entryId: given, ownerId: owner.userId, userId: provider.userId, permission: 'view' },
      sharedAt: new Date(),
    })
    const ends = [
      (id: string) => server.call('demand/giveUp', { id, reason: 'No time.' }, provider),
      async (id: string) => {
        await server.call('demand/dispute', { id, reason: 'Not so.' }, owner)
        expect(await sees(provider, folder)).toBe(true)
        return server.call('office/dispute', { id, providerFen: 0, reason: 'Back.' }, chief)
      },
    ]
    for (const end of ends) {
      const { id } = await postDemand(server, owner, { folderIds: [folder, given] })
      await makeOffer(server, provider, { demandId: id })
      await orderWork(server, { owner, provider, demandId: id })
      expect(await sees(provider, folder)).toBe(true)
      expect((await end(id)).code).toBe(OK)
      expect([await sees(provider, folder), await sees(provider, given)]).toEqual([false, true])
    }
  })

  test('of two orders with one provider are seen until both have ended', async () => {
    const folder = await folderOf(owner, 'twice')
    const orders: string[] = []
    for (const _ of [1, 2]) {
      const { id } = await postDemand(server, owner, { folderIds: [folder] })
      await makeOffer(server, provider, { demandId: id })
      await orderWork(server, { owner, provider, demandId: id })
      orders.push(id)
    }
    const seen: boolean[] = []
    for (const id of orders) {
      await server.call('demand/giveUp', { id, reason: 'No time.' }, provider)
      seen.push(await sees(provider, folder))
    }
    expect(seen).toEqual([true, false])
  })

  test('are own folders, and what the level does not share is told before anything is paid', async () => {
    const foreign = await folderOf(provider, 'mine')
    expect(await errorOf(server.call('demand/post', demandForm({ folderIds: [foreign] }), owner))).toBe(
      'missing',
    )
    const single = await fileOf(owner, 'single.txt')
    expect(await errorOf(server.call('demand/post', demandForm({ folderIds: [single] }), owner))).toBe(
      'missing',
    )
    const ordinary = await makeBuyer(server)
    const folder = await folderOf(ordinary, 'shared thrice')
    // An ordinary member shares one thing with three accounts.
    for (let count = 0; count < 3; count += 1) {
      const other = await makeBuyer(server)
      await server.ctx.db.insert(shares).values({
        ...{ id: `thrice ${count}`, entryId: folder, ownerId: ordinary.userId, userId: other.userId },
        ...{ permission: 'view', sharedAt: new Date() },
      })
    }
    const { id } = await postDemand(server, ordinary, { folderIds: [folder] })
    const { offerList } = await makeOffer(server, provider, { demandId: id })
    const select = { offerId: offerList[0]?.id ?? '', revision: 1 }
    expect(await errorOf(server.call('offer/select', select, ordinary))).toBe('share_limit')
    // What was tried for the refusal is undone.
    const mine = and(eq(shares.entryId, folder), eq(shares.userId, provider.userId))
    expect(await server.ctx.db.$count(shares, mine)).toBe(0)
  })

  test('that name a patient are shown with the owner’s word alone', async () => {
    await upload(server, owner, {
      files: [{ path: 'named/scan.dcm', bytes: dicomSlice({ patient: 'Li^Na' }) }],
    })
    const folder = await idOf(owner, 'named')
    const refused = await server.call('demand/post', demandForm({ folderIds: [folder] }), owner)
    expect(refused.data.error).toBe('patients_named')
    const { id } = await postDemand(server, owner, { folderIds: [folder], withPatients: true })
    await makeOffer(server, provider, { demandId: id })
    await orderWork(server, { owner, provider, demandId: id })
    expect(await sees(provider, folder)).toBe(true)
  })
})

describe('the page of a provider', () => {
  const page = {
    introduction: 'Two pathologists.',
    services: ['Outlining'],
    regions: ['Asia'],
    languages: ['English'],
  }

  test('says what it offers; sales and ratings are of accepted orders alone', async () => {
    const studio = await makeProvider(server)
    expect((await server.call('provider/save', page, studio)).code).toBe(OK)
    expect(await errorOf(server.call('provider/save', page, owner))).toBe('not_allowed')
    const { id: done } = await assignedDemand(server, { owner, provider: studio })
    const deliveryId = await deliverWork(server, studio, { id: done })
    await server.call('demand/accept', { id: done, deliveryId }, owner)
    await server.call('demand/rate', { id: done, stars: 4, text: 'Careful.' }, owner)
    const { id: given } = await assignedDemand(server, { owner, provider: studio })
    await server.call('demand/giveUp', { id: given, reason: 'No time.' }, studio)
    expect(await errorOf(server.call('demand/rate', { id: given, stars: 1 }, owner))).toBe('demand_state')
    const { data } = await server.call('provider/detail', { id: studio.userId }, owner)
    expect(data).toMatchObject({ ...page, rating: { stars: 4, count: 1 }, sales: 1, isOwn: false, cases: [] })
    const { data: said } = await server.call('provider/ratings', { id: studio.userId }, owner)
    expect(said.ratings).toMatchObject([{ stars: 4, text: 'Careful.', by: expect.any(String) }])
    const { data: found } = await server.call('provider/list', { search: 'outlin' }, owner)
    expect(found.providers.map((one) => one.id)).toContain(studio.userId)
    expect(await errorOf(server.call('provider/detail', { id: owner.userId }, provider))).toBe(
      'provider_missing',
    )
    await setMember(server, studio, { role: roles.member })
    expect(await errorOf(server.call('provider/detail', { id: studio.userId }, owner))).toBe(
      'provider_missing',
    )
  })
})

describe('a case', () => {
  const about = { title: 'Nuclei', task: 'segmentation', text: '200 images.', isPublic: true } as const
  const figures = [{ name: 'Dice', value: '0.91' }]

  test('is shown with its pictures to everybody, or kept for its provider', async () => {
    const picture = await fileOf(provider, 'cells.png')
    const { data } = await server.call('case/save', { ...about, figures, fileIds: [picture] }, provider)
    expect(data).toMatchObject({ ...about, figures, pictures: [{ name: 'cells.png' }], isOwn: true })
    const { data: seen } = await server.call('case/detail', { id: data.id }, owner)
    expect(seen).toMatchObject({ title: 'Nuclei', isOwn: false })
    const shown = await fetch(server.url + (seen.pictures[0]?.url ?? ''))
    expect([shown.headers.get('content-type'), await shown.text()]).toEqual(['image/png', 'cells.png'])
    expect((await server.call('case/list', {}, owner)).data.cases[0]).toMatchObject({
      id: data.id,
      isOwn: false,
    })
    const kept = { ...about, id: data.id, isPublic: false, keep: [data.pictures[0]?.id ?? ''] }
    expect((await server.call('case/save', kept, provider)).data.pictures).toHaveLength(1)
    expect(await errorOf(server.call('case/detail', { id: data.id }, owner))).toBe('case_missing')
    expect(await errorOf(server.call('market/file', { id: data.pictures[0]?.id ?? '' }, owner))).toBe(
      'missing',
    )
    expect((await server.call('case/list', {}, owner)).data.total).toBe(0)
    expect((await server.call('case/list', { own: true }, provider)).data.total).toBe(1)
    expect((await server.call('provider/detail', { id: provider.userId }, provider)).data.cases).toHaveLength(
      1,
    )
    expect((await server.call('provider/detail', { id: provider.userId }, owner)).data.cases).toEqual([])
    expect(await errorOf(server.call('case/remove', { id: data.id }, await makeProvider(server)))).toBe(
      'case_missing',
    )
    expect((await server.call('case/remove', { id: data.id }, provider)).code).toBe(OK)
  })

  test('is a provider’s to show, with pictures alone, and not without end', async () => {
    expect(await errorOf(server.call('case/save', about, owner))).toBe('not_allowed')
    const text = await fileOf(provider, 'words.txt')
    expect(await errorOf(server.call('case/save', { ...about, fileIds: [text] }, provider))).toBe(
      'case_pictures',
    )
    const other = await makeProvider(server)
    const { data } = await server.call('case/save', about, provider)
    expect(await errorOf(server.call('case/save', { ...about, id: data.id }, other))).toBe('case_missing')
    for (let count = 1; count < limits.cases; count += 1)
      expect((await server.call('case/save', about, provider)).code).toBe(OK)
    expect(await errorOf(server.call('case/save', about, provider))).toBe('case_limit')
  })
})
