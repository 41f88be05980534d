import { asFound } from '@neuroloom/contract/reading/reading'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeServer, type TestServer } from '../../../test/harness.ts'
import { cells, makeLabelled, makeSet, pictures, sheetRows } from '../../../test/label-table-files.ts'
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

/** Six pictures, two of each name, in two folders. */
const twice = pictures.map(({ bytes: own }, at) => ({
  path: `set/${at < 3 ? 'left' : 'right'}/scan${(at % 3) + 1}.png`,
  bytes: own,
}))
const table = (...rows: string[]) => ({ path: 'set/labels.csv', bytes: Buffer.from(rows.join('\n')) })
const all = ['left', 'right'].flatMap((folder) => [1, 2, 3].map((n) => ({ folder, name: `scan${n}.png` })))
const classOf = (at: number) => (at % 2 ? 'ill' : 'well')

it('a name that two folders have means neither, unless the table gives the folder', async () => {
  const { dataset, problems } = await makeSet(server, [
    ...twice,
    table('image,label', 'scan1.png,ill', 'left/scan2.png,ill', 'right/scan2.png,well', 'scan3.png,well'),
  ])
  expect([dataset.facts?.items, dataset.facts?.classCounts]).toEqual([2, [1, 1]])
  expect(problems).toEqual([
    ['labels.csv', 'image_ambiguous'],
    ['labels.csv', 'image_ambiguous'],
    ...['left/scan1.png', 'left/scan3.png', 'right/scan1.png', 'right/scan3.png'].map((path) => [
      path,
      'label_missing',
    ]),
  ])
  const none = await makeSet(server, [...twice, table('image,label', 'scan1.png,ill', 'scan2.png,well')])
  expect(none.problems).toEqual([
    ['labels.csv', 'image_ambiguous'],
    ['labels.csv', 'image_ambiguous'],
  ])
})

it('a column of folders tells pictures of one name apart, but never the column of labels', async () => {
  const rows = all.map(({ folder, name }, at) => `${name},${folder},${classOf(at)}`)
  const found = await makeSet(server, [...twice, table('image,series,label', ...rows)])
  expect(found.problems).toEqual([])
  expect([found.dataset.classes, found.dataset.facts?.classCounts]).toEqual([
    ['ill', 'well'],
    [3, 3],
  ])
  const labels = all.map(({ folder, name }) => `${name},${folder}`)
  const sides = await makeSet(server, [...twice, table('image,label', ...labels)])
  expect(sides.dataset.layout).toBe('class_folders')
})

it('a picture of another folder is not taken for the one that a table names', async () => {
  const some = twice.filter(({ path }) => path !== 'set/right/scan2.png')
  const rows = all.map(({ folder, name }, at) => `${folder}/${name},${classOf(at)}`)
  const { problems, dataset } = await makeSet(server, [...some, table('image,label', ...rows)])
  expect(problems).toEqual([['labels.csv', 'image_missing']])
  expect(dataset.facts?.classCounts).toEqual([3, 2])
  // None of the folder is there; the others show that the table means folders of the set.
  const left = twice.filter(({ path }) => path.includes('left'))
  const half = await makeSet(server, [...left, table('image,label', ...rows)])
  expect(half.problems).toEqual([1, 2, 3].map(() => ['labels.csv', 'image_missing']))
  // A folder of another computer, of which the set knows nothing.
  const copied = all.slice(0, 3).map(({ name }, at) => `C:\\study\\${name},${classOf(at)}`)
  const other = await makeSet(server, [...left, table('image,label', ...copied)])
  expect([other.problems, other.dataset.facts?.items]).toEqual([[], 3])
})

it('signs of Chinese texts part several labels, and names that look alike are shown together', async () => {
  const named = (labels: string[]) => labels.map((label, at) => `img${at + 1}.png,${label}`)
  const findings = ['肺炎；结节', '结节', '肺炎、结节', '肺炎', '结节｜肺炎', '肺炎']
  const several = await makeSet(
    server,
    [...pictures, table('image,labels', ...named(findings))],
    'multilabel',
  )
  expect([several.dataset.classes, several.dataset.facts?.classCounts]).toEqual([
    ['结节', '肺炎'],
    [4, 5],
  ])
  // The second С is Cyrillic, the third name has a letter that nobody sees, the last ones are numbers of spreadsheets.
  const alike = ['C1', '\u04211', 'C1\u200b', '2', '２', '2.0']
  const { dataset } = await makeLabelled(server, table('image,label', ...named(alike)))
  expect(dataset.facts?.spellings?.map((group) => group.length)).toEqual([3, 3])
})
