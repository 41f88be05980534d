/** A workbook that unpacks to far more than it should. */
import { rmSync } from 'node:fs'
import { workbooks as limits } from '@neuroloom/contract/limits'
import { afterAll, describe, expect, it } from 'vitest'
import { folder, open, outcome } from '../../../../test/workbook-files.ts'
import { workbookOf } from '../../../../test/workbooks.ts'

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('a hostile workbook', () => {
  const sheet = (bytes: Buffer) =>
    workbookOf({ sheets: [{ name: 'A' }], more: [{ name: 'xl/worksheets/sheet1.xml', bytes }] })

  it('that unpacks to far more than it should is cut, or given up', async () => {
    const start = '<worksheet><sheetData><row><c><v>1</v></c></row>'
    const long = Buffer.alloc(4 * limits.unpackedBytes, '<row><c s="1"/></row>')
    const bomb = sheet(Buffer.concat([Buffer.from(start), long]))
    expect(bomb.length).toBeLessThan(1024 ** 2)
    expect((await open(bomb)).sheets[0]).toMatchObject({ rows: [['1']], isCut: true })
    const texts = Buffer.concat([Buffer.from('<sst>'), Buffer.alloc(4 * limits.unpackedBytes, '<si/>')])
    const rows = '<row><c t="s"><v>999999999</v></c></row>'
    const more = [{ name: 'xl/sharedStrings.xml', bytes: texts }]
    expect(await outcome(workbookOf({ sheets: [{ name: 'A', rows }], more }))).toBe('workbook_too_large')
  })
})
