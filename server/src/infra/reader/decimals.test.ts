import { expect, it } from 'vitest'
import { decimalNotes, numberOf } from './decimals.ts'
import { readMetaImage } from './volume/metaimage.ts'
import { readNrrd } from './volume/nrrd.ts'

const options = { siblings: new Map<string, string>(), files: [], limitBytes: 1e6, folder: '' }

it('a comma between digits is a decimal point; anything else that is no number is none', () => {
  expect(['0,143', '-100,25', ',5', '1,5e-3'].map(numberOf)).toEqual([0.143, -100.25, 0.5, 0.0015])
  expect(['1,024,5', '1.000,5', 'half', ''].map(numberOf)).toEqual([
    Number.NaN,
    Number.NaN,
    Number.NaN,
    Number.NaN,
  ])
  expect(
    decimalNotes([
      ['a', ['0,5', '1']],
      ['b', ['half']],
      ['c', ['']],
    ]),
  ).toEqual([
    { name: 'decimal_comma', params: { names: 'a' } },
    { name: 'numbers_unreadable', params: { names: 'b' } },
  ])
})

it('MetaImage: spacing with commas is read and told; an offset that cannot be read is no zero', () => {
  const header = (offset: string): Buffer =>
    Buffer.from(
      `ObjectType = Image\nNDims = 3\nBinaryData = True\nTransformMatrix = 1 0 0 0 1 0 0 0 1\nOffset = ${offset}\n` +
        'ElementSpacing = 0,5 0,5 2\nDimSize = 2 1 1\nElementType = MET_UCHAR\nElementDataFile = LOCAL\nab',
    )
  const scan = readMetaImage(header('10 20 30'), options)
  expect(scan.geometry).toMatchObject({ spacing: [0.5, 0.5, 2], origin: [10, 20, 30] })
  expect(scan.notes).toEqual([{ name: 'decimal_comma', params: { names: 'ElementSpacing' } }])
  const lost = readMetaImage(header('here 20 30'), options)
  expect(lost.geometry?.origin).toBeNull()
  expect(lost.notes).toContainEqual({ name: 'numbers_unreadable', params: { names: 'Offset' } })
})

it('NRRD: spacings with commas are read and told; what is not said is not unreadable', () => {
  const nrrd = (spacings: string): Buffer =>
    Buffer.from(`NRRD0004\ntype: uchar\ndimension: 2\nsizes: 2 1\nspacings: ${spacings}\nencoding: raw\n\nab`)
  const scan = readNrrd(nrrd('0,5 0,25'), options)
  expect(scan.geometry?.spacing.slice(0, 2)).toEqual([0.5, 0.25])
  expect(scan.notes).toEqual([{ name: 'decimal_comma', params: { names: 'spacings' } }])
  expect(readNrrd(nrrd('nan nan'), options).notes.map(({ name }) => name)).toEqual(['spacing_unknown'])
})
