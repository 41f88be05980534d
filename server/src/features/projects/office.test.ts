import { roles } from '@neuroloom/contract/accounts/roles'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { idAt } from '../../../test/cloud.ts'
import { makeServer, type Session, type TestServer } from '../../../test/harness.ts'
import { upload } from '../../../test/uploads.ts'
import { auditEvents } from '../../infra/audit.ts'

const SUCCESS = 10200

let server: TestServer
let boss: Session
let owner: Session
let member: Session
beforeAll(async () => {
  server = await makeServer()
  boss = await server.signUp({ role: roles.administrator })
  // Folders are published by administrators alone, projects by everybody.
  owner = await server.signUp({ role: roles.administrator, nickName: 'Publisher', vipLevel: 4 })
  member = await server.signUp({ vipLevel: 4 })
})
afterAll(() => server.close())

const errorOf = async (reply: ReturnType<TestServer['call']>) => (await reply).data.error
const kindsOf = async (who: Session) =>
  (await server.call('notice/list', {}, who)).data.items.map(({ kind, params }) => [kind, params.reason])
const actorOf = async (subject: string) =>
  (await server.ctx.db.select().from(auditEvents).where(eq(auditEvents.subject, subject))).map(
    ({ actor, action }) => [actor, action],
  )

describe('a public folder', () => {
  it('is listed with its publisher and withdrawn for a reason that its publisher reads, once', async () => {
    await upload(server, owner, { files: [{ path: 'Chest X-ray/1.txt', bytes: Buffer.from('one') }] })
    const id = await idAt(server, owner, 'Chest X-ray')
    await server.call('files/publish', { id, isPublic: true }, owner)
    const list = async (search = '') => (await server.call('office/publicFolders', { search }, boss)).data
    expect(await list('CHEST')).toMatchObject({
      folders: [
        {
          ...{ id, name: 'Chest X-ray', fileCount: 1, sizeBytes: 3, withPatients: false },
          owner: { nickName: 'Publisher' },
        },
      ],
      total: 1,
    })
    expect((await list('head')).total).toBe(0)
    const withdraw = (by: Session, reason = 'Wrong licence') =>
      server.call('office/withdrawFolder', { id, reason }, by)
    expect(await errorOf(withdraw(member))).toBe('not_allowed')
    expect(await errorOf(withdraw(boss, ' '))).toBe('invalid')
    expect((await withdraw(boss)).code).toBe(SUCCESS)
    expect(await errorOf(withdraw(boss))).toBe('missing')
    expect(await errorOf(server.call('files/list', { folderId: id }, member))).toBe('missing')
    expect((await list()).total).toBe(0)
    expect(await kindsOf(owner)).toEqual([['folder_withdrawn', 'Wrong licence']])
    expect(await actorOf(`folder:${id}`)).toEqual([[boss.userId, 'folder.withdraw']])
  })
})

describe('a public project', () => {
  it('is listed and withdrawn likewise; those it was shared with keep it', async () => {
    const [author, friend] = [await server.signUp({ vipLevel: 4 }), await server.signUp({ vipLevel: 4 })]
    const { data: project } = await server.call(
      'projects/create',
      { name: 'Lungs in public', task: 'segmentation' },
      author,
    )
    const { id } = project
    await server.call('projects/setPublic', { id, isPublic: true }, author)
    const shared = { id, account: friend.account, permission: 'view' } as const
    expect((await server.call('projects/share', shared, author)).code).toBe(SUCCESS)
    const { data } = await server.call('office/publicProjects', { search: 'lungs' }, boss)
    expect(data).toMatchObject({ projects: [{ id, task: 'segmentation' }], total: 1 })
    const withdraw = (by: Session) =>
      server.call('office/withdrawProject', { id, reason: 'Names inside' }, by)
    expect(await errorOf(withdraw(author))).toBe('not_allowed')
    expect((await withdraw(boss)).code).toBe(SUCCESS)
    expect(await errorOf(withdraw(boss))).toBe('project_missing')
    expect(await errorOf(server.call('projects/detail', { id }, member))).toBe('project_missing')
    expect((await server.call('projects/detail', { id }, friend)).code).toBe(SUCCESS)
    expect(await kindsOf(author)).toEqual([['project_withdrawn', 'Names inside']])
    expect(await actorOf(`project:${id}`)).toEqual([[boss.userId, 'project.withdraw']])
  })
})
