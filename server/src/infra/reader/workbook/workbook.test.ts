/** What is read of a workbook: values as text; hostile ones are refused or cut, soon and in little memory. */
import { rmSync } from 'node:fs'
import { workbooks as limits } from '@neuroloom/contract/limits'
import { afterAll, describe, expect, it } from 'vitest'
import { folder, open, outcome } from '../../../../test/workbook-files.ts'
import { containerOf, workbookOf } from '../../../../test/workbooks.ts'
import { zipOf } from '../../../../test/zip.ts'
import { isWorkbookName } from './workbook.ts'

afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The rows of the only sheet. */
const rowsOf = async (rows: string, rest: Partial<Parameters<typeof workbookOf>[0]> = {}) =>
  (await open(workbookOf({ sheets: [{ name: 'A', rows }], ...rest }))).sheets[0]?.rows

describe('a workbook', () => {
  it('gives texts, numbers, truths and errors of cells in their places', async () => {
    const rows = `<row r="2"><c r="B2" t="s"><v>1</v></c><c r="C2"><v>0.30000000000000004</v></c><c r="D2"><v>123456789012345678</v></c></row>
      <row><c t="b"><v>1</v></c><c t="e"><v>#DIV/0!</v></c><c t="inlineStr"><is><t>a </t><r><t>&lt;b&gt;</t></r></is></c></row>`
    const sharedStrings = '<si><t>no</t></si><si><r><t>多中</t></r><r><t>心</t></r><rPh><t>duo</t></rPh></si>'
    expect(await rowsOf(rows, { sharedStrings })).toEqual([
      [],
      ['', '多中心', '0.3', '123456789012345678'],
      ['TRUE', '#DIV/0!', 'a <b>'],
    ])
  })

  it('gives dates, times and percentages as they are meant', async () => {
    const styles = `<numFmts><numFmt numFmtId="164" formatCode="yyyy&quot;年&quot;m&quot;月&quot;d&quot;日&quot;;@"/>
      <numFmt numFmtId="165" formatCode="[$-409]h:mm AM/PM"/><numFmt numFmtId="166" formatCode="[h]:mm:ss"/>
      <numFmt numFmtId="167" formatCode="&quot;dose &quot;0.0"/></numFmts>
      <cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>
      <cellXfs>${[0, 14, 22, 10, 164, 165, 166, 167].map((id) => `<xf numFmtId="${id}"/>`).join('')}</cellXfs>`
    const cell = (style: number, value: number) => `<c s="${style}"><v>${value}</v></c>`
    const rows = `<row>${cell(0, 45000)}${cell(1, 45000)}${cell(2, 45000.5)}${cell(3, 0.07)}</row>
      <row>${cell(4, 45000)}${cell(5, 0.75)}${cell(6, 1.5)}${cell(7, 2.5)}${cell(1, 59)}${cell(1, -1)}</row>`
    expect(await rowsOf(rows, { styles })).toEqual([
      ['45000', '2023-03-15', '2023-03-15 12:00:00', '7%'],
      ['2023-03-15', '18:00:00', '36:00:00', '2.5', '1900-02-28', '-1'],
    ])
    const properties = '<workbookPr date1904="1"/>'
    expect(await rowsOf(`<row>${cell(1, 0)}</row>`, { styles, properties })).toEqual([['1904-01-01']])
  })

  it('gives what came of formulas, and the formula where its program could not calculate', async () => {
    const rows =
      '<row><c><f>1+1</f><v>2</v></c><c><f>SUM(A1:B1)</f></c><c t="str"><f>A1</f><v>x</v></c></row>'
    expect(await rowsOf(rows)).toEqual([['2', '=SUM(A1:B1)', 'x']])
  })

  it('tells which cells are one, which sheets are hidden, and which are empty', async () => {
    const rows = '<row r="1"><c r="A1"><v>1</v></c></row><row r="2"><c r="C2"><v>2</v></c></row>'
    const after = '<mergeCells><mergeCell ref="A1:C1"/><mergeCell ref="A2:A1048576"/></mergeCells>'
    const sheets = [
      { name: 'Dose &amp; age', rows, after },
      { name: 'Keys', state: 'veryHidden' },
    ]
    expect((await open(workbookOf({ sheets }))).sheets).toEqual([
      {
        name: 'Dose & age',
        isHidden: false,
        rows: [['1'], ['', '', '2']],
        merged: [[0, 0, 1, 3]],
        isCut: false,
      },
      { name: 'Keys', isHidden: true, rows: [], merged: [], isCut: false },
    ])
  })

  it('that is longer or wider than is shown says so; colours on empty cells are no content', async () => {
    const row = (number: number, inner = '<v>1</v>') =>
      `<row r="${number}"><c r="A${number}">${inner}</c></row>`
    const many = Array.from({ length: limits.rows + 1 }, (_, index) => row(index + 1))
    const wide = '<row r="1"><c r="A1"><v>1</v></c><c r="XFD1"><v>2</v></c></row>'
    const coloured = row(1) + row(1_048_576, '')
    const sheets = [many.join(''), wide, coloured].map((rows, index) => ({ name: `${index}`, rows }))
    const found = (await open(workbookOf({ sheets }))).sheets
    expect(found.map(({ rows, isCut }) => [rows.length, rows[0]?.length, isCut])).toEqual([
      [limits.rows, 1, true],
      [1, 1, true],
      [1, 1, false],
    ])
  })

  it('is known by its bytes: old, locked, otherwise named, and broken ones say so', async () => {
    expect(['a.xlsx', 'B.XLSM', 'c.xls', 'd.csv', 'e.xlsb'].map(isWorkbookName)).toEqual([
      true,
      true,
      true,
      false,
      false,
    ])
    const whole = workbookOf({ sheets: [{ name: 'A' }] })
    expect(await outcome(whole, 'new.xls')).toBe('opens')
    expect(await outcome(containerOf('Workbook'), 'old.xls')).toBe('workbook_old')
    expect(await outcome(containerOf('EncryptedPackage'))).toBe('workbook_locked')
    expect(await outcome(Buffer.from('a,b\n1,2'))).toBe('not_this_kind')
    expect(await outcome(zipOf([{ name: 'a.txt', bytes: Buffer.from('hello') }]))).toBe('not_this_kind')
    expect(await outcome(Buffer.alloc(0))).toBe('empty')
    expect(await outcome(whole.subarray(0, whole.length - 30))).toBe('workbook_damaged')
    const broken = { name: 'xl/worksheets/sheet1.xml', bytes: Buffer.from('<worksheet><sheetData><row>') }
    const wrong = { ...broken, bytes: Buffer.from('<worksheet></sheetData>') }
    expect(await outcome(workbookOf({ sheets: [{ name: 'A' }], more: [wrong] }))).toBe('workbook_damaged')
    expect(await outcome(workbookOf({ sheets: [{ name: 'A' }], more: [broken] }))).toBe('opens')
  })
})

describe('a hostile workbook', () => {
  const sheet = (bytes: Buffer) =>
    workbookOf({ sheets: [{ name: 'A' }], more: [{ name: 'xl/worksheets/sheet1.xml', bytes }] })

  it('with entities of its own is refused, and nothing is fetched for it', async () => {
    const evil = `<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>
      <worksheet><sheetData><row><c t="str"><v>&e;</v></c></row></sheetData></worksheet>`
    expect(await outcome(sheet(Buffer.from(evil)))).toBe('workbook_damaged')
    const unknown = '<worksheet><sheetData><row><c t="str"><v>&e;</v></c></row></sheetData></worksheet>'
    expect(await outcome(sheet(Buffer.from(unknown)))).toBe('workbook_damaged')
    const more = [
      {
        name: 'xl/_rels/workbook.xml.rels',
        bytes: Buffer.from(
          '<Relationships><Relationship Id="rId1" Type="x/worksheet" Target="../../../../etc/passwd"/></Relationships>',
        ),
      },
    ]
    expect((await open(workbookOf({ sheets: [{ name: 'A' }], more }))).sheets[0]?.rows).toEqual([])
  })

  it('with a million columns, attributes, or tags within tags takes little', async () => {
    const columns = `<worksheet><sheetData><row>${'<c><v>1</v></c>'.repeat(1_000_000)}`
    const wide = (await open(sheet(Buffer.from(columns)))).sheets[0]
    expect([wide?.rows[0]?.length, wide?.isCut]).toEqual([limits.columns, true])
    const attributes = Array.from({ length: 1_000_000 }, (_, index) => ` a${index}=""`).join('')
    expect(await outcome(sheet(Buffer.from(`<worksheet${attributes}>`)))).toBe('workbook_damaged')
    expect(await outcome(sheet(Buffer.from('<a>'.repeat(1_000_000))))).toBe('workbook_damaged')
    const text = `<worksheet><sheetData><row><c t="str"><v>${'x'.repeat(9_000_000)}</v></c>`
    expect((await open(sheet(Buffer.from(text)))).sheets[0]?.rows[0]?.[0]).toHaveLength(limits.cellLength)
  })

  it('that shows one long text everywhere is cut', async () => {
    const sharedStrings = `<si><t>${'x'.repeat(5000)}</t></si>`
    const row = `<row>${'<c t="s"><v>0</v></c>'.repeat(limits.columns)}</row>`
    const sheets = [{ name: 'A', rows: row.repeat(limits.rows) }]
    const workbook = await open(workbookOf({ sheets, sharedStrings }))
    expect(JSON.stringify(workbook).length).toBeLessThan(2 * limits.textLength)
    expect(workbook.sheets[0]?.isCut).toBe(true)
  })
})
