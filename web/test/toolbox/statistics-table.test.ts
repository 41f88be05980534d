import { strToU8, zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { csvOf } from '../../src/features/toolbox/statistics/csv.ts'
import { readTable, readText } from '../../src/features/toolbox/statistics/read-table.ts'
import { likelyYes, numberOf, pick, tableOf, valuesOf } from '../../src/features/toolbox/statistics/table.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)

describe('a table', () => {
  it.each([
    ['tabs', 'a\tb\n1\t2\n'],
    ['semicolons', 'a;b\r\n1;2\r\n'],
    ['commas', '\uFEFFa,b\n1,2'],
  ])('with %s has names and rows', async (_, text) => {
    expect(await readTable(bytesOf(text))).toEqual({ names: ['a', 'b'], rows: [['1', '2']] })
  })

  it('tells columns of the same name, and of none, apart', () => {
    expect(
      tableOf([
        ['x', 'x', ''],
        ['1', '2'],
      ]),
    ).toEqual({ names: ['x', 'x (2)', '3'], rows: [['1', '2', '']] })
  })

  it('is none without a row', () => {
    expect(tableOf([['a', 'b']])).toBeNull()
    expect(() => readText('')).toThrow('empty')
  })

  it('is refused where it is too large or no table', async () => {
    await expect(readTable(new Uint8Array(20 * 1024 * 1024 + 1))).rejects.toThrow('too_large')
    await expect(readTable(bytesOf('PK\u0003\u0004 no archive'))).rejects.toThrow('unreadable')
    await expect(readTable(zipSync({ 'a.txt': strToU8('a') }))).rejects.toThrow('unreadable')
  })

  it('comes from the first sheet of a workbook', async () => {
    const sheet = `<worksheet><sheetData>
      <row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1" t="inlineStr"><is><t>Grade</t></is></c></row>
      <row r="2"><c r="A2"><v>3.5</v></c><c r="C2" t="s"><v>1</v></c></row>
    </sheetData></worksheet>`
    const workbook = zipSync({
      'xl/workbook.xml': strToU8(
        '<workbook xmlns:r="x"><sheets><sheet name="one" r:id="rId7"/></sheets></workbook>',
      ),
      'xl/_rels/workbook.xml.rels': strToU8(
        '<Relationships><Relationship Id="rId7" Target="worksheets/first.xml"/></Relationships>',
      ),
      'xl/sharedStrings.xml': strToU8(
        '<sst><si><r><t>Va</t></r><r><t>lue</t></r><rPh><t>x</t></rPh></si><si><t>良性</t></si></sst>',
      ),
      'xl/worksheets/first.xml': strToU8(sheet),
    })
    expect(await readTable(workbook)).toEqual({ names: ['Value', '2', 'Grade'], rows: [['3.5', '', '良性']] })
  })
})

describe('cells', () => {
  it.each([
    ['3.5', 3.5],
    ['3,5', 3.5],
    ['1 234,5', 1234.5],
    ['1,234.5', 1234.5],
    ['87 %', 87],
    ['-1e3', -1000],
    ['', null],
    ['high', null],
  ])('“%s” as a number', (cell, value) => expect(numberOf(cell)).toBe(value))

  it('that are missing leave their row out, and repeated patients are counted', () => {
    const table = {
      names: ['id', 'a'],
      rows: [
        ['p1', '1'],
        ['p1', '2'],
        ['p2', 'NA'],
        ['p3', '3'],
      ],
    }
    expect(pick(table, ['a'], 'id')).toEqual({ rows: [['1'], ['2'], ['3']], left: 1, repeated: 1 })
  })

  it('say which value means ill, in three languages', () => {
    expect(likelyYes(['benign', 'Malignant'])).toBe('Malignant')
    expect(likelyYes(['阳性', '阴性'])).toBe('阳性')
    expect(likelyYes(['да', 'нет'])).toBe('да')
    expect(likelyYes(['a', 'b'])).toBe('b')
    expect(valuesOf({ names: ['a'], rows: [['10'], ['9'], ['n/a'], ['10']] }, 'a')).toEqual(['9', '10'])
  })
})

it('a name that begins like a formula is none in the CSV', () => {
  const rows = [
    {
      name: 'area',
      of: '=cmd()',
      value: 0.5,
      interval: { low: 0.4, high: 0.6 },
      as: 'number',
      method: 'delong',
      paper: 'A, B',
    } as const,
  ]
  expect(csvOf(rows)).toBe(
    'figure,of,value,low95,high95,method,paper\r\narea,\'=cmd(),0.5,0.4,0.6,delong,"A, B"\r\n',
  )
})
