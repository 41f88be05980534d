import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../test/harness.ts'

let server: TestServer
beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())

const create = (kind: 'fields' | 'kinds', who: Session) => server.call('samples/create', { kind }, who)
const foldersOf = async (who: Session) =>
  (await server.call('files/list', { folderId: null }, who)).data.entries.map(({ name }) => name)

it('a sample is an own project with images and masks of its own; asked for twice it is one', async () => {
  const member = await server.signUp({ password: null })
  const { data } = await create('fields', member)
  const project = (await server.call('projects/detail', { id: data.projectId }, member)).data
  expect(project).toMatchObject({ name: 'Outline cells (sample)', task: 'segmentation', access: 'own' })
  const { datasets } = (await server.call('datasets/list', { projectId: data.projectId }, member)).data
  expect(datasets).toMatchObject([{ name: 'Sample cells' }])
  expect(await foldersOf(member)).toEqual(['Sample cells'])
  expect((await create('fields', member)).data).toEqual(data)
  expect((await create('kinds', member)).data.projectId).not.toBe(data.projectId)
})

it('a sample that finds no room for its project leaves nothing behind', async () => {
  const member = await server.signUp({ password: null, vipLevel: 1 })
  for (const name of ['one', 'two', 'three'])
    await server.call('projects/create', { name, task: 'classification' }, member)
  expect((await create('kinds', member)).data.error).toBe('plan_limit')
  expect(await foldersOf(member)).toEqual([])
})
