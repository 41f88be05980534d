/** A workbook of labels that unpacks to too much. */
import { labelWorkbooks } from '@neuroloom/contract/limits'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeServer, type TestServer } from '../../../test/harness.ts'
import { cells, makeLabelled, sheetRows } from '../../../test/label-table-files.ts'
import { workbookOf } from '../../../test/workbooks.ts'

let server: TestServer
beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())

it('ends a workbook that unpacks to too much, by itself, and takes no half of it', async () => {
  const start = `<worksheet><sheetData>${cells('file', 'class')}${sheetRows}`
  const long = Buffer.alloc(labelWorkbooks.unpackedBytes + 1024 ** 2, '<row><c s="1"/></row>')
  const more = [{ name: 'xl/worksheets/sheet1.xml', bytes: Buffer.concat([Buffer.from(start), long]) }]
  const bomb = workbookOf({ sheets: [{ name: 'A' }], more })
  expect(bomb.length).toBeLessThan(1024 ** 2)
  const { dataset, problems } = await makeLabelled(server, { path: 'set/labels.xlsx', bytes: bomb })
  expect(dataset).toMatchObject({ state: 'failed', failure: 'nothing_matches' })
  expect(problems).toEqual([
    ['labels.xlsx', 'workbook_too_large'],
    ['.', 'folder_holds'],
  ])
})
