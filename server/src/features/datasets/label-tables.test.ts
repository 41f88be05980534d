import { asFound } from '@neuroloom/contract/reading/reading'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeServer, type TestServer } from '../../../test/harness.ts'
import { cells, makeLabelled, sheetRows } from '../../../test/label-table-files.ts'
import { workbookOf } from '../../../test/workbooks.ts'

let server: TestServer
beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())

/** Class names as hospitals of the country write them, six rows each. */
const russian = `файл,диагноз\r\n${[1, 2, 3, 4, 5, 6].map((n) => `img${n}.png,${n % 2 ? 'Норма' : 'Опухоль'}`).join('\r\n')}\r\n`
const cp1251 = Buffer.from(
  [...russian].map((letter) => {
    const code = letter.codePointAt(0) ?? 0
    return code < 0x80 ? code : code - 0x410 + 0xc0
  }),
)
const cp866 = Buffer.from(
  [...russian].map((letter) => {
    const code = letter.codePointAt(0) ?? 0
    if (code < 0x80) return code
    return code < 0x440 ? code - 0x410 + 0x80 : code - 0x440 + 0xe0
  }),
)
const wide = (text: string, mark: string): Buffer => Buffer.from(mark + text, 'utf16le')
const bytes = (latin: string): Buffer => Buffer.from(latin, 'latin1')
/** 良性 and 恶性 of the mainland, 良性 and 惡性 of Taiwan, 良性 and 悪性 of Japan. */
const [gb, big5, japanese] = [
  ['\xc1\xbc\xd0\xd4', '\xb6\xf1\xd0\xd4'],
  ['\xa8\x7d\xa9\xca', '\xb4\x63\xa9\xca'],
  ['\x97\xc7\x90\xab', '\x88\xab\x90\xab'],
].map((words) =>
  bytes(`image,label\n${[1, 2, 3, 4, 5, 6].map((n) => `img${n}.png,${words[n % 2]}`).join('\n')}\n`),
)

it.each([
  ['CP1251', cp1251, 'windows-1251', ['Норма', 'Опухоль']],
  ['CP866', cp866, 'ibm866', ['Норма', 'Опухоль']],
  ['UTF-16 with a mark', wide(russian, '\ufeff'), null, ['Норма', 'Опухоль']],
  ['UTF-16 without one', wide(russian, ''), 'utf-16le', ['Норма', 'Опухоль']],
  ['GB18030', gb ?? bytes(''), 'gb18030', ['恶性', '良性']],
  ['Big5', big5 ?? bytes(''), 'big5', ['惡性', '良性']],
  ['Shift-JIS', japanese ?? bytes(''), 'shift_jis', ['悪性', '良性']],
])('reads six rows in %s, and says which letters were taken', async (_, table, encoding, classes) => {
  const { dataset, problems } = await makeLabelled(server, { path: 'set/labels.csv', bytes: table })
  expect(dataset).toMatchObject({ state: 'ready', layout: 'csv_labels' })
  expect([...dataset.classes].sort()).toEqual([...classes].sort())
  expect(dataset.facts?.labelSource?.encoding).toBe(encoding)
  expect(problems).toEqual([])
})

it('reads the sheet of a workbook that names images', async () => {
  const workbook = workbookOf({
    sheets: [
      { name: 'About', rows: cells('Study', '2024') },
      { name: 'Labels', rows: cells('file', 'class') + sheetRows },
    ],
  })
  const { dataset } = await makeLabelled(server, { path: 'set/labels.xlsx', bytes: workbook })
  expect(dataset).toMatchObject({ state: 'ready', layout: 'csv_labels', classes: ['long', 'round'] })
  expect(dataset.facts?.labelSource?.from).toEqual({ path: 'labels.xlsx', column: 'class' })
})

it('names a workbook that is none', async () => {
  const { problems } = await makeLabelled(server, {
    path: 'set/labels.xlsx',
    bytes: Buffer.from('image,label\n'),
  })
  expect(problems).toContainEqual(['labels.xlsx', 'workbook_unreadable'])
})

it('takes another column where its owner says so, and the first one again', async () => {
  const table = `image,diagnosis,grade,site\n${[1, 2, 3, 4, 5, 6].map((n) => `img${n},${n % 2 ? 'ill' : 'well'},${n % 3},${n % 2}`).join('\n')}`
  const { session, id, seen, dataset } = await makeLabelled(server, {
    path: 'set/train.csv',
    bytes: Buffer.from(table),
  })
  expect(dataset.facts?.labelSource).toMatchObject({
    from: { path: 'train.csv', column: 'diagnosis' },
    isUnsure: true,
    candidates: [{ column: 'diagnosis' }, { column: 'grade', classes: 3, items: 6 }, { column: 'site' }],
  })
  const reading = { ...asFound, labelColumn: { path: 'train.csv', column: 'grade' } }
  await server.call('datasets/readAs', { id, reading }, session)
  const other = (await seen()).dataset
  expect(other.classes).toEqual(['0', '1', '2'])
  expect(other.facts?.labelSource).toMatchObject({ from: { column: 'grade' }, isUnsure: false })
  await server.call('datasets/readAs', { id, reading: asFound }, session)
  expect((await seen()).dataset.classes).toEqual(['ill', 'well'])
})
