import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { textsOf } from './read-texts.ts'

/** The one text of a store, by its bytes in hexadecimal. */
const read = (hex: string): Promise<string | null> => {
  const bytes = Buffer.from(hex, 'hex')
  const storage = { read: () => Readable.from([bytes]) }
  const file = { path: 'labels.csv', sha256: 'x', sizeBytes: bytes.length }
  return textsOf(storage, [file]).read('labels.csv', 1000)
}

const marked = `fffe${Buffer.from('图像,标签', 'utf16le').toString('hex')}`

it.each([
  // As spreadsheets of these countries save them where nobody chose Unicode.
  ['GB18030', 'cdbccff12cb1eac7a90a312e706e672cc1bcd0d40a', '图像,标签\n1.png,良性\n'],
  ['CP1251', 'f4e0e9eb2cecE5f2eae00a312e706e672ceef0e3e0ed0a', 'файл,метка\n1.png,орган\n'],
  ['UTF-8 with a mark', `efbbbf${Buffer.from('a,é').toString('hex')}`, 'a,é'],
  ['UTF-16', marked, '图像,标签'],
])('reads a table in %s', async (_encoding, hex, text) => {
  expect(await read(hex)).toBe(text)
})

it('takes no bytes for a text that hold zeros', async () => {
  expect(await read('504b030400000000')).toBeNull()
})
