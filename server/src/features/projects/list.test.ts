import { projects as limits } from '@neuroloom/contract/limits'
import type { ProjectTab } from '@neuroloom/contract/projects'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../test/harness.ts'
import { addDataset, makeTrainingSet } from '../../../test/training.ts'

let server: TestServer
beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())

const member = (nickName: string) => server.signUp({ password: null, vipLevel: 4, nickName })
const create = async (session: Session, name: string, description = ''): Promise<string> =>
  (await server.call('projects/create', { name, description, task: 'classification' }, session)).data.id
const names = async (session: Session, tab: ProjectTab, search = '') =>
  (await server.call('projects/list', { tab, search }, session)).data.projects.map(({ name }) => name)

describe('the list of projects', () => {
  it('has tabs: all, public, private and shared ones', async () => {
    const [owner, friend] = [await member('Dr Li'), await member('Friend')]
    await create(owner, 'tabs alone')
    const given = await create(owner, 'tabs given')
    const open = await create(owner, 'tabs open')
    await create(friend, 'tabs of friend')
    await server.call('projects/share', { id: given, account: friend.account, permission: 'edit' }, owner)
    await server.call('projects/setPublic', { id: open, isPublic: true }, owner)
    expect(await names(owner, 'all')).toEqual(['tabs open', 'tabs given', 'tabs alone'])
    expect(await names(owner, 'private')).toEqual(['tabs alone'])
    expect(await names(owner, 'shared')).toEqual(['tabs given'])
    expect(await names(owner, 'public', 'tabs')).toEqual(['tabs open'])
    expect(await names(friend, 'all')).toEqual(['tabs of friend', 'tabs given'])
    expect(await names(friend, 'shared')).toEqual(['tabs given'])
    expect(await names(friend, 'public', 'tabs')).toEqual(['tabs open'])
    const { data } = await server.call('projects/list', {}, friend)
    expect(data).toMatchObject({ own: 1, limit: 24, next: null })
    expect(data.projects[1]).toMatchObject({ visibility: 'shared', access: 'edit', owner: 'Dr Li' })
    const { data: seen } = await server.call('projects/detail', { id: open }, friend)
    expect(seen).toMatchObject({ visibility: 'public', access: 'view', owner: 'Dr Li', shareId: null })
    const { data: own } = await server.call('projects/detail', { id: open }, owner)
    expect(own).toMatchObject({ visibility: 'public', access: 'own', owner: '' })
  })

  it('finds names and descriptions in any script and comes in pages', async () => {
    const owner = await server.signUp({ password: null, vipSuper: 1 })
    for (let number = 0; number < limits.pageSize + 2; number += 1) await create(owner, `project ${number}`)
    const found = await create(owner, 'Найти', 'СНИМКИ ЛЁГКИХ')
    const { data: first } = await server.call('projects/list', {}, owner)
    expect(first.projects).toHaveLength(limits.pageSize)
    const { data: rest } = await server.call('projects/list', { after: first.next }, owner)
    const ids = [...first.projects, ...rest.projects].map(({ id }) => id)
    expect(new Set(ids).size).toBe(limits.pageSize + 3)
    expect(rest.next).toBeNull()
    const { data } = await server.call('projects/list', { search: ' лёгких ' }, owner)
    expect(data.projects.map(({ id }) => id)).toEqual([found])
    // What a pattern would take for a sign of its own is plain text.
    expect(await names(owner, 'all', '%')).toEqual([])
    const wrong = await server.call('projects/list', { after: 'nowhere' }, owner)
    expect(wrong.data.error).toBe('bad_request')
  })

  it('refuses a description of spaces alone', async () => {
    const owner = await member('Owner')
    const body = { name: 'x', description: '   ', task: 'classification' } as const
    const { data } = await server.call('projects/create', body, owner)
    expect(data).toMatchObject({ error: 'invalid', fields: { description: 'form.required' } })
  })
})

describe('ways to show results', () => {
  it('are all of the task at first, one at least, each once and in order', async () => {
    const owner = await member('Owner')
    const id = await create(owner, 'displays')
    const set = (displays: string[]) =>
      // Deliberately also what the contract does not allow.
      server.call('projects/setDisplays', { id, displays: displays as ['outlines'] }, owner)
    expect((await server.call('projects/detail', { id }, owner)).data.displays).toEqual([
      'per_class_table',
      'confusion_matrix',
      'labelled_pictures',
    ])
    expect((await set([])).data.error).toBe('display_needed')
    expect((await set(['outlines'])).data.error).toBe('display_unfit')
    expect((await set(['unheard of'])).data.error).toBe('invalid')
    const { data } = await set(['labelled_pictures', 'per_class_table', 'labelled_pictures'])
    expect(data).toMatchObject({
      displays: ['per_class_table', 'labelled_pictures'],
      counts: { displays: 2 },
    })
    const none = server.ctx.pool.query("update projects set displays = '[]' where id = $1", [id])
    await expect(none).rejects.toThrow('projects_displays')
  })
})

describe('a copy', () => {
  it('is an own project with the own data, without trainings; others’ data are left out', async () => {
    const [owner, friend] = [await member('Owner'), await member('Friend')]
    const set = await makeTrainingSet(server, owner, { name: 'first' })
    const { projectId: id } = set
    await server.call('datasets/setUse', { id: set.datasetId, projectId: id, use: 'test' }, owner)
    const share = { id, account: friend.account, permission: 'edit' } as const
    await server.call('projects/share', share, owner)
    const made = { task: 'classification', items: 24, size: 32, name: 'second', seed: 2 } as const
    const theirs = await addDataset(server, friend, { projectId: id, ...made })
    const { data: before } = await server.call('projects/detail', { id }, friend)
    expect(before.counts).toMatchObject({ files: 48, trainSets: 1, testSets: 1 })
    const { data } = await server.call('projects/copy', { id, name: 'Mine (copy)' }, friend)
    expect(data).toMatchObject({
      leftOut: 1,
      project: { name: 'Mine (copy)', access: 'own', visibility: 'private', task: 'classification' },
    })
    const { data: list } = await server.call('datasets/list', { projectId: data.project.id }, friend)
    expect(list.datasets.map((one) => one.id)).toEqual([theirs.datasetId])
    const again = await server.call('projects/copy', { id, name: 'Mine (copy)' }, friend)
    expect(again.data.error).toBe('name_taken')
    const { data: own } = await server.call('projects/copy', { id, name: 'Of the owner' }, owner)
    expect(own.project.counts).toMatchObject({ trainSets: 0, testSets: 1 })
  })

  it('counts against the limit of projects, however many come at once', async () => {
    const owner = await server.signUp({ password: null, vipLevel: 1 })
    const id = await create(owner, 'original')
    const tries = await Promise.all(
      Array.from({ length: 6 }, (_, number) =>
        server.call('projects/copy', { id, name: `${number}` }, owner),
      ),
    )
    expect(tries.filter(({ code }) => code === 10200)).toHaveLength(2)
    expect(tries.find(({ code }) => code !== 10200)?.data.error).toBe('plan_limit')
  })
})
