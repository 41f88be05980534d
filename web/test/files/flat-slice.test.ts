import type { ImageFacts } from '@neuroloom/contract/viewing'
import { describe, expect, it } from 'vitest'
import { flatSliceOf, unpack } from '../../src/features/files/viewer/flat-slice.ts'

type Kind = [code: number, bytes: number, write: (view: DataView, at: number, value: number) => void]
const int16: Kind = [4, 2, (view, at, value) => view.setInt16(at, value, true)]
const colour: Kind = [128, 1, (view, at, value) => view.setUint8(at, value)]

/** A NIfTI-1 file with these values, columns first. */
function nifti(
  size: [number, number, number],
  values: number[],
  [code, bytes, write]: Kind = int16,
): DataView<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(352 + values.length * bytes))
  for (const [index, side] of size.entries()) view.setInt16(42 + 2 * index, side, true)
  view.setInt16(70, code, true)
  for (const [index, step] of [1, 0.5, 2, 3].entries()) view.setFloat32(76 + 4 * index, step, true)
  view.setFloat32(108, 352, true)
  view.setFloat32(112, 2, true)
  view.setFloat32(116, -100, true)
  for (const [index, value] of values.entries()) write(view, 352 + index * bytes, value)
  return view
}

const facts = (changes: Partial<ImageFacts> = {}): ImageFacts => ({
  ...{ format: 'dicom', size: [3, 2, 1, 1], layout: 'slice', channels: 1, dataType: 'int16', bits: 16 },
  ...{ spacing: [0.5, 2, 3], regions: [], frameSeconds: null, orientation: 'LPS', range: null, usual: null },
  ...{ windows: [], unit: '', photometric: 'MONOCHROME2', modality: '', compression: '' },
  ...changes,
})

/** The first of the colours of each pixel, row by row. */
const shades = ({ pixels = new Uint8ClampedArray() } = {}) => [...pixels].filter((_, at) => at % 4 === 0)

const drawnOf = (file: DataView, facts: ImageFacts, window: [number, number], slice: number | null = null) =>
  flatSliceOf(file, { facts, window, slice })

describe('a slice without graphics acceleration', () => {
  // Values as shown, with slope 2 and intercept -100: 0, 20, 40 and 60, 80, 100.
  const file = nifti([3, 2, 1], [50, 60, 70, 80, 90, 100])
  const expected = [0, 51, 102, 153, 204, 255]

  it('is drawn by its values and the window, from the top', () => {
    const slice = drawnOf(file, facts(), [0, 100])
    expect(slice).toMatchObject({ width: 3, height: 2, aspect: 4 })
    expect(shades(slice ?? {})).toEqual(expected)
    expect(shades(drawnOf(file, facts(), [40, 80]) ?? {})).toEqual([0, 0, 0, 128, 255, 255])
  })

  it.each([
    ['RAS', [5, 4, 3, 2, 1, 0]],
    ['LAS', [3, 4, 5, 0, 1, 2]],
    ['LSP', [3, 4, 5, 0, 1, 2]],
    ['AIR', [0, 1, 2, 3, 4, 5]],
    ['PIR', [2, 1, 0, 5, 4, 3]],
  ])('is turned as the viewer turns %s', (orientation, order) => {
    const slice = drawnOf(file, facts({ orientation }), [0, 100])
    expect(shades(slice ?? {})).toEqual(order.map((index) => expected[index]))
  })

  it('goes upwards where a NIfTI file does not say how it lies', () => {
    const slice = drawnOf(file, facts({ orientation: null, format: 'nifti' }), [0, 100])
    expect(shades(slice ?? {})).toEqual([153, 204, 255, 0, 51, 102])
  })

  it('has white for the least value where the file means that, and the middle of several', () => {
    const slice = drawnOf(file, facts({ photometric: 'MONOCHROME1' }), [0, 100])
    expect(shades(slice ?? {})).toEqual(expected.map((value) => 255 - value))
    const three = nifti([1, 1, 3], [50, 75, 100])
    expect(shades(drawnOf(three, facts(), [0, 100]) ?? {})).toEqual([128])
    expect([0, 2].map((slice) => shades(drawnOf(three, facts(), [0, 100], slice) ?? {}))).toEqual([
      [0],
      [255],
    ])
  })

  it('keeps colours as they are', () => {
    const slice = drawnOf(nifti([1, 2, 1], [1, 2, 3, 4, 5, 6], colour), facts({ channels: 3 }), [0, 1])
    expect([...(slice?.pixels ?? [])]).toEqual([1, 2, 3, 255, 4, 5, 6, 255])
  })

  it('is read from the packed file', async () => {
    const packed = new Blob([file.buffer]).stream().pipeThrough(new CompressionStream('gzip'))
    const unpacked = await unpack(await new Response(packed).arrayBuffer())
    expect(new Uint8Array(unpacked.buffer)).toEqual(new Uint8Array(file.buffer))
  })
})
