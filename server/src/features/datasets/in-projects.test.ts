import type { FileFacts } from '@neuroloom/contract/engine'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../test/harness.ts'
import { upload } from '../../../test/uploads.ts'
import { drawCell } from '../../demo/pictures.ts'
import { encodePng } from '../../demo/png.ts'
import { summarise } from './data-facts.ts'
import { plainItem } from './recognise/shapes.ts'
import { store } from './store.ts'

let server: TestServer
beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())

const put = async (session: Session, top: string) => {
  const bytes = encodePng(drawCell('round', top.length))
  return (await upload(server, session, { files: [{ path: `${top}/1.png`, bytes }] })) ?? ''
}
const project = async (session: Session, name: string) =>
  (await server.call('projects/create', { name, task: 'classification' }, session)).data.id

const seen: FileFacts = {
  ...{ format: 'png', width: 1, height: 1, depth: null, spacing: null, orientation: null },
  ...{ channels: 1, bits: 8, mean: 0.5, std: 0.1, values: null },
}
/** A data set as the check leaves it, with the one file of its folder. */
async function ready(session: Session, projectId: string, folderId: string): Promise<string> {
  const { data } = await server.call('datasets/recognise', { projectId, folderId }, session)
  const { rows } = await server.ctx.pool.query('select sha256 from files where parent_id = $1', [folderId])
  await store(server.ctx, data.id, {
    contentHash: 'x',
    totalFiles: 1,
    task: 'classification',
    layout: 'class_folders',
    failure: null,
    found: {
      items: [{ ...plainItem('1.png', seen), class: 0 }],
      problems: [],
      classes: ['a', 'b'],
      maskValues: {},
      channels: 1,
      factor: null,
      facts: summarise([seen], [1, 0]),
    },
    sha256: () => String(rows[0].sha256),
  })
  return data.id
}
const listed = async (session: Session, search = '') =>
  (await server.call('datasets/inProjects', { search }, session)).data

it('names the data that projects use, each once, with its projects and its folder', async () => {
  const [me, stranger] = [await server.signUp({ vipLevel: 4 }), await server.signUp({ vipLevel: 4 })]
  const [one, two] = [await project(me, 'One'), await project(me, 'Two')]
  const folderId = await put(me, 'Снимки')
  const id = await ready(me, one, folderId)
  await server.call('datasets/add', { id, projectId: two }, me)
  const { data, total } = await listed(me)
  expect(total).toBe(1)
  expect(data[0]).toMatchObject({
    id,
    state: 'ready',
    items: 1,
    folder: { id: folderId, name: 'Снимки', fileCount: 1 },
    projects: [
      { id: one, name: 'One' },
      { id: two, name: 'Two' },
    ],
  })
  // Their cards show some of its images.
  const { covers } = (await server.call('projects/list', {}, me)).data
  expect(Object.keys(covers).sort()).toEqual([one, two].sort())
  expect(covers[one]?.map((url) => url.split('?')[0])).toEqual(['/AI/api/files/thumbnail'])
  expect((await listed(me, 'сНИМ')).total).toBe(1)
  expect((await listed(me, 'none')).total).toBe(0)
  expect((await listed(stranger)).total).toBe(0)
  await server.call('files/remove', { ids: [folderId] }, me)
  expect((await listed(me)).data[0]?.folder).toBeNull()
})

it('leaves out what no project uses any more', async () => {
  const me = await server.signUp({ vipLevel: 4 })
  const projectId = await project(me, 'One')
  const id = await ready(me, projectId, await put(me, 'set'))
  await server.call('datasets/remove', { id, projectId }, me)
  expect(await listed(me)).toEqual({ data: [], next: null, total: 0 })
})

it('holds on to removed files by name: they stay when the recycle station is cleared', async () => {
  const me = await server.signUp({ vipLevel: 4 })
  const folderId = await put(me, 'needed')
  const other = await put(me, 'other one')
  const id = await ready(me, await project(me, 'One'), folderId)
  const properties = await server.call('files/properties', { id: folderId }, me)
  expect(properties.data.datasets).toEqual(['needed'])
  await server.call('files/remove', { ids: [folderId, other] }, me)
  const recycled = await server.call('files/recycled', { search: 'needed' }, me)
  expect(recycled.data.entries.map(({ clearsAt }) => clearsAt)).toEqual([null])
  const purged = await server.call('files/purge', { ids: null }, me)
  expect(purged.data).toMatchObject({
    purged: 1,
    keptCount: 1,
    kept: [{ id: folderId, name: 'needed', datasets: ['needed'] }],
  })
  await server.call('datasets/remove', { id, projectId: null }, me)
  expect((await server.call('files/purge', { ids: null }, me)).data).toMatchObject({
    purged: 1,
    keptCount: 0,
  })
  expect((await server.call('user/size', {}, me)).data.storageSize).toBe(0)
})
