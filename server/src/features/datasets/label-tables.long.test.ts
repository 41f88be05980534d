/** A workbook of labels that unpacks to too much. */
import { labelWorkbooks } from '@neuroloom/contract/limits'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeServer, type TestServer } from '../../../test/harness.ts'
import { cells, pictures, sheetRows } from '../../../test/label-table-files.ts'
import { type TestFile, upload } from '../../../test/uploads.ts'
import { workbookOf } from '../../../test/workbooks.ts'
import { makeWorker } from '../../../test/worker.ts'
import { look } from './jobs.ts'

let server: TestServer
beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())

async function made(...tables: TestFile[]) {
  const session = await server.signUp({ vipSuper: 1 })
  const folderId = (await upload(server, session, { files: [...pictures, ...tables] })) ?? ''
  const name = `project ${Math.random()}`
  const project = await server.call('projects/create', { name, task: 'classification' }, session)
  const asked = { projectId: project.data.id, folderId, use: 'train' as const }
  const { id } = (await server.call('datasets/recognise', asked, session)).data
  const seen = async () => {
    await look(makeWorker(server), id)
    const dataset = (await server.call('datasets/detail', { id }, session)).data
    const { problems } = (await server.call('datasets/problems', { id }, session)).data
    return { dataset, problems: problems.map(({ path, reason }) => [path, reason]) }
  }
  return { session, id, seen, ...(await seen()) }
}

it('ends a workbook that unpacks to too much, by itself, and takes no half of it', async () => {
  const start = `<worksheet><sheetData>${cells('file', 'class')}${sheetRows}`
  const long = Buffer.alloc(labelWorkbooks.unpackedBytes + 1024 ** 2, '<row><c s="1"/></row>')
  const more = [{ name: 'xl/worksheets/sheet1.xml', bytes: Buffer.concat([Buffer.from(start), long]) }]
  const bomb = workbookOf({ sheets: [{ name: 'A' }], more })
  expect(bomb.length).toBeLessThan(1024 ** 2)
  const { dataset, problems } = await made({ path: 'set/labels.xlsx', bytes: bomb })
  expect(dataset).toMatchObject({ state: 'failed', failure: 'nothing_matches' })
  expect(problems).toEqual([
    ['labels.xlsx', 'workbook_too_large'],
    ['.', 'folder_holds'],
  ])
})
