import { flowTrainHyper } from '@neuroloom/contract/flow/sharpen'
import { emptyLayout } from '@neuroloom/contract/network/layout/file'
import type { CardKind } from '@neuroloom/contract/social/attachment-kinds'
import type { Attachment, AttachmentReference } from '@neuroloom/contract/social/attachments'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../../test/harness.ts'
import { dicomSlice } from '../../../../test/images.ts'
import { about } from '../../../../test/shop.ts'
import { makeCalls, makeGroup, makeMember, makePair } from '../../../../test/social.ts'
import { upload } from '../../../../test/uploads.ts'
import { newId } from '../../../infra/ids.ts'
import { datasets, projectDatasets } from '../../datasets/tables.ts'
import { files } from '../../files/tables.ts'
import { networks } from '../../networks/tables.ts'
import { allRuns } from '../../runs/tables.ts'
import { listings } from '../../shop/tables.ts'

let server: TestServer
let calls: ReturnType<typeof makeCalls>
beforeAll(async () => {
  server = await makeServer()
  calls = makeCalls(server)
})
afterAll(() => server.close())

const cardOf = (of: CardKind, id: string) => ({ kind: 'card' as const, of, id })
const fileOf = (id: string) => ({ kind: 'file' as const, id })
const open = async (who: Session, ...attachments: AttachmentReference[]) =>
  (await server.call('social/openAttachments', { attachments }, who)).data.opened
const send = (who: Session, chatId: string, ...attachments: AttachmentReference[]) =>
  calls.send(who, chatId, '', { attachments })

/** A project with a data set, a training by a network of the owner's, and a finished test. */
async function makeThings(owner: Session) {
  const { db } = server.ctx
  const project = (await server.call('projects/create', { name: 'Lungs', task: 'classification' }, owner))
    .data
  const [datasetId, networkId, runId, testId] = [newId(), newId(), newId(), newId()]
  const at = server.ctx.now()
  await db.insert(datasets).values({
    ...{ id: datasetId, ownerId: owner.userId, folderId: 'folder', name: 'Chest', createdAt: at },
    ...{ state: 'failed', failure: 'no_images', contentHash: 'of-the-folder', checkedAt: at },
  })
  await db.insert(projectDatasets).values({ projectId: project.id, datasetId, addedAt: at })
  await db.insert(networks).values({
    ...{
      id: networkId,
      ownerId: owner.userId,
      name: 'Own net',
      task: 'classification',
      text: '',
      mistakes: 0,
    },
    ...{ layout: emptyLayout, createdAt: at, updatedAt: at },
  })
  const run = {
    ...{ userId: owner.userId, projectId: project.id, task: 'classification' as const, network: networkId },
    ...{ ownNetworkName: 'Own net', ownNetworkVersion: 1, datasetId, datasetName: 'Chest', classes: [] },
    ...{
      hyper: flowTrainHyper({ epochs: 1, seed: 1 }),
      validation: { method: 'holdout' as const, train: 8, test: 2, seed: 1 },
    },
  }
  await db.insert(allRuns).values([
    { ...run, id: runId, kind: 'train', number: 1, state: 'done', score: 0.9, endedAt: at },
    { ...run, id: testId, kind: 'test', number: 2, state: 'done', score: 0.8, endedAt: at },
  ])
  return { project, datasetId, networkId, runId, testId }
}

describe('cards', () => {
  it('show what their reader may see of the thing itself, and nothing once it is not shared', async () => {
    const { doctor, nurse, chatId } = await makePair(server)
    const { project, datasetId, networkId, runId, testId } = await makeThings(doctor)
    const cards = [
      cardOf('project', project.id),
      cardOf('dataset', datasetId),
      cardOf('network', networkId),
      cardOf('run', runId),
      cardOf('report', testId),
    ]
    // A training has no report.
    expect((await send(doctor, chatId, cardOf('report', runId))).data.error).toBe('card_missing')
    expect((await send(doctor, chatId, ...cards)).code).toBe(10200)
    const [message] = (await calls.read(nurse, chatId)).messages
    expect(message?.attachments).toEqual(cards)
    expect(await open(nurse, ...cards)).toEqual(cards.map(() => null))
    const share = { id: project.id, account: nurse.account, permission: 'view' } as const
    const shareId = (await server.call('projects/share', share, doctor)).data.id
    expect(await open(nurse, ...cards)).toMatchObject([
      { name: 'Lungs', task: 'classification', page: { path: 'projectDetail', id: project.id } },
      { name: 'Chest', project: 'Lungs', page: { path: 'projectDetail', id: project.id } },
      // Others are led to a run that names it.
      { name: 'Own net', page: { path: 'run' } },
      { run: { kind: 'train', number: 1 }, score: 0.9, project: 'Lungs', dataset: 'Chest' },
      { run: { kind: 'test', number: 2 }, page: { path: 'report', id: testId } },
    ])
    expect(await open(doctor, cardOf('network', networkId))).toMatchObject([{ page: { path: 'dripe' } }])
    await server.call('projects/unshare', { shareId }, doctor)
    expect(await open(nurse, ...cards)).toEqual(cards.map(() => null))
    await server.call('projects/remove', { id: project.id }, doctor)
    expect((await open(doctor, cardOf('run', runId)))[0]).toBeNull()
  })

  it('of what the sender cannot open are not sent, in messages and in posts', async () => {
    const { doctor, nurse, chatId } = await makePair(server)
    const { project, runId } = await makeThings(doctor)
    for (const card of [cardOf('project', project.id), cardOf('run', runId), cardOf('listing', 'none')])
      expect((await send(nurse, chatId, card)).data.error).toBe('card_missing')
    const post = (who: Session) =>
      server.call(
        'social/createPost',
        { requestId: `post-of-${who.userId}`, text: '', attachments: [cardOf('project', project.id)] },
        who,
      )
    expect((await post(nurse)).data.error).toBe('card_missing')
    expect((await post(doctor)).data.attachments).toEqual([cardOf('project', project.id)])
    expect((await calls.read(doctor, chatId)).messages).toEqual([])
  })

  it('of the shop open for everybody while it is offered', async () => {
    const { doctor, nurse } = await makePair(server)
    const id = newId()
    const at = server.ctx.now()
    await server.ctx.db.insert(listings).values({
      ...{ id, sellerId: doctor.userId, name: 'Finder', rules: 1, version: 1 },
      ...{ about, priceYuan: 20, createdAt: at, listedAt: at },
      state: 'listed',
      task: 'classification',
    })
    const card = cardOf('listing', id)
    const shown = { name: 'Finder', priceYuan: 20, page: { path: 'merchandiseDetail', id } }
    expect(await open(nurse, card)).toMatchObject([shown])
    await server.ctx.db.update(listings).set({ state: 'hidden' }).where(eq(listings.id, id))
    expect(await open(nurse, card)).toEqual([null])
    expect(await open(doctor, card)).toMatchObject([shown])
  })

  it('are offered by kind and name, of what is one’s own or was received', async () => {
    const { doctor, nurse } = await makePair(server)
    const { project, datasetId, networkId, runId, testId } = await makeThings(doctor)
    const offered = async (who: Session, of: CardKind, text = '') =>
      (await server.call('social/ownCards', { of, text }, who)).data.cards.map(({ id }) => id)
    expect(await offered(doctor, 'project', 'lung')).toEqual([project.id])
    expect(await offered(doctor, 'project', 'liver')).toEqual([])
    expect(await offered(doctor, 'dataset', 'chest')).toEqual([datasetId])
    expect(await offered(doctor, 'network')).toEqual([networkId])
    expect((await offered(doctor, 'run')).sort()).toEqual([runId, testId].sort())
    expect(await offered(doctor, 'report')).toEqual([testId])
    for (const of of ['project', 'dataset', 'network', 'run', 'report'] as const)
      expect(await offered(nurse, of)).toEqual([])
  })

  it('that were reported are kept, and open for administrators as for any reader', async () => {
    const { doctor, nurse, chatId } = await makePair(server)
    const office = await server.signUp({ role: 2 })
    const { project } = await makeThings(doctor)
    const card: Attachment = cardOf('project', project.id)
    const message = (await send(doctor, chatId, card)).data
    const target = { kind: 'message', chatId, targetId: String(message.id), reason: 'spam' } as const
    await server.call('social/report', target, nurse)
    const { reports } = (await server.call('office/socialReports', { state: 'open' }, office)).data
    expect(reports[0]?.attachments).toEqual([{ attachment: card, opened: null }])
  })
})

describe('files of the cloud', () => {
  async function makeFile(who: Session, name: string, bytes: Buffer): Promise<string> {
    await upload(server, who, { files: [{ path: name, bytes }] })
    const [row] = await server.ctx.db.select().from(files).where(eq(files.ownerId, who.userId))
    return row?.id ?? ''
  }

  it('are referred to, and open for whom they are shared with', async () => {
    const { doctor, nurse, chatId } = await makePair(server)
    const id = await makeFile(doctor, 'notes.txt', Buffer.from('plain words'))
    expect((await send(nurse, chatId, fileOf(id))).data.error).toBe('card_missing')
    expect((await send(doctor, chatId, fileOf(id))).code).toBe(10200)
    expect(await open(nurse, fileOf(id))).toEqual([null])
    const share = () => server.call('social/shareFile', { chatId, fileId: id }, doctor)
    expect((await share()).code).toBe(10200)
    // Again is the same.
    expect((await share()).code).toBe(10200)
    expect(await open(nurse, fileOf(id))).toMatchObject([
      { name: 'notes.txt', isFolder: false, sizeBytes: 11 },
    ])
    const { shares } = (await server.call('files/shares', { id }, doctor)).data
    // The account of a friend is not told.
    expect(shares).toMatchObject([{ member: { nickName: 'Nurse', account: 'Nurse' }, permission: 'view' }])
    await server.call('files/unshare', { shareIds: shares.map((one) => one.id) }, doctor)
    expect(await open(nurse, fileOf(id))).toEqual([null])
  })

  it('that name a patient are shared only by the owner’s word', async () => {
    const { doctor, nurse, chatId } = await makePair(server)
    const id = await makeFile(doctor, 'slice.dcm', dicomSlice())
    const share = (withPatients: boolean) =>
      server.call('social/shareFile', { chatId, fileId: id, withPatients }, doctor)
    expect((await share(false)).data.error).toBe('patients_named')
    expect(await open(nurse, fileOf(id))).toEqual([null])
    expect((await share(true)).code).toBe(10200)
    expect(await open(nurse, fileOf(id))).toMatchObject([{ name: 'slice.dcm' }])
  })

  it('are shared with friends, one’s own, and in conversations of two', async () => {
    const { doctor, nurse, chatId } = await makePair(server)
    const id = await makeFile(doctor, 'notes.txt', Buffer.from('plain words'))
    const stranger = await makeMember(server, 'Stranger')
    const share = (who: Session, chat: string) =>
      server.call('social/shareFile', { chatId: chat, fileId: id }, who)
    expect((await share(nurse, chatId)).data.error).toBe('missing')
    expect((await share(stranger, chatId)).data.error).toBe('chat_missing')
    const group = await makeGroup(server, [doctor, nurse])
    expect((await share(doctor, group.chatId)).data.error).toBe('chat_missing')
    await server.call('social/unfriend', { memberId: nurse.userId }, doctor)
    expect((await share(doctor, chatId)).data.error).toBe('not_friends')
  })
})
