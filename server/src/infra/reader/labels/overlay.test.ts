/** Masks laid on the grid of an image: by place where both say how they lie, else voxel on voxel. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, describe, expect, it } from 'vitest'
import type { Geometry, Triple } from '../model.ts'
import { readImage, type Source } from '../read.ts'
import { layered } from './layers.ts'
import { layOver, overlayOn } from './overlay.ts'

const folder = mkdtempSync(join(tmpdir(), 'neuroloom-overlay-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

type Mask = { size: Triple; layers: number[][]; geometry?: Geometry | null }
const maskOf = ({ size, layers, geometry = null }: Mask) => {
  const filled = layered(size)
  const area = size[0] * size[1]
  for (const [layer, values] of layers.entries())
    for (let slice = 0; slice < size[2]; slice += 1)
      filled.addNumbers(values.slice(slice * area, (slice + 1) * area), slice, layer)
  return { ...filled.made(), geometry, names: new Map(), areBodies: false }
}

const straight: [Triple, Triple, Triple] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
]
const lying = (origin: Triple, axes = straight): Geometry => ({ spacing: [1, 1, 2], origin, axes })

const reasonOf = async (run: () => unknown): Promise<string> => {
  try {
    await run()
  } catch (error) {
    if (error instanceof Error) return error.message
  }
  return ''
}

describe('a mask without a place', () => {
  const size: [number, number, number, number] = [3, 2, 1, 1]
  const image = { size, geometry: null }

  it('lies voxel on voxel, its values in order', () => {
    const { bytes, labels } = layOver(image, maskOf({ size: [3, 2, 1], layers: [[0, 255, 7, 7, 0, 7]] }))
    expect([...bytes]).toEqual([0, 2, 1, 1, 0, 1])
    expect(labels).toEqual([
      { key: '7', name: null, colour: null, count: 3 },
      { key: '255', name: null, colour: null, count: 1 },
    ])
  })

  it('has layers as points in time where the image has as many, else one on the other', () => {
    const mask = maskOf({
      size: [3, 2, 1],
      layers: [
        [1, 1, 0, 0, 0, 0],
        [0, 2, 0, 0, 0, 0],
      ],
    })
    expect([...layOver({ ...image, size: [3, 2, 1, 2] }, mask).bytes]).toEqual([
      1, 1, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0,
    ])
    expect([...layOver(image, mask).bytes]).toEqual([1, 2, 0, 0, 0, 0])
  })

  it('of another size, or with too many values, is refused', async () => {
    const turned = maskOf({ size: [2, 3, 1], layers: [[1, 0, 0, 0, 0, 0]] })
    expect(await reasonOf(() => layOver(image, turned))).toBe('overlay_size')
    const ramp = maskOf({ size: [300, 1, 1], layers: [Array.from({ length: 300 }, (_, at) => at)] })
    expect(await reasonOf(() => layOver({ size: [300, 1, 1, 1], geometry: null }, ramp))).toBe(
      'overlay_values',
    )
  })
})

describe('a mask with a place', () => {
  const size: [number, number, number, number] = [2, 2, 2, 1]
  const image = { size, geometry: lying([10, 20, 30]) }
  const layers = [[1, 2, 3, 4, 5, 6, 7, 8]]

  it('on the same grid is taken as it is', () => {
    const { bytes, notes } = layOver(image, maskOf({ size: [2, 2, 2], layers, geometry: image.geometry }))
    expect([...bytes]).toEqual(layers[0])
    expect(notes).toEqual([])
  })

  it('that was stored the other way round is turned', () => {
    const geometry = lying(
      [11, 21, 30],
      [
        [-1, 0, 0],
        [0, -1, 0],
        [0, 0, 1],
      ],
    )
    const { bytes, notes } = layOver(image, maskOf({ size: [2, 2, 2], layers, geometry }))
    expect([...bytes]).toEqual([4, 3, 2, 1, 8, 7, 6, 5])
    expect(notes.map(({ name }) => name)).toEqual(['overlay_moved'])
  })

  it('of a part of the body alone covers that part', () => {
    const part = maskOf({ size: [1, 1, 1], layers: [[9]], geometry: lying([11, 20, 32]) })
    expect([...layOver(image, part).bytes]).toEqual([0, 0, 0, 0, 0, 1, 0, 0])
  })

  it('somewhere else is told, or refused where nothing fits', async () => {
    const far = lying([500, 0, 0])
    const same = layOver(image, maskOf({ size: [2, 2, 2], layers, geometry: far }))
    expect(same.notes.map(({ name }) => name)).toEqual(['overlay_elsewhere'])
    expect([...same.bytes]).toEqual(layers[0])
    const one = maskOf({ size: [1, 1, 1], layers: [[9]], geometry: far })
    expect(await reasonOf(() => layOver(image, one))).toBe('overlay_elsewhere')
  })
})

const sourceOf = (path: string, name: string): Source => ({
  files: [{ path, name }],
  siblings: new Map(),
  limitBytes: 1e9,
  folder,
})

/** Pixels as a PNG in colours. */
async function coloured(name: string, pixels: number[]): Promise<Source> {
  const path = join(folder, name)
  const raw = { width: 3, height: 1, channels: 3 as const }
  writeFileSync(path, await sharp(Uint8Array.from(pixels), { raw }).png().toBuffer())
  return sourceOf(path, name)
}

describe('a picture', () => {
  const image = { size: [3, 1, 1, 1] as [number, number, number, number], geometry: null }

  it('in colours has them for values, and greys as numbers', async () => {
    const colours = await overlayOn(image, await coloured('colours.png', [0, 0, 0, 255, 0, 0, 64, 192, 128]))
    expect(colours.labels.map(({ key, colour }) => [key, colour])).toEqual([
      ['#40c080', '#40c080'],
      ['#ff0000', '#ff0000'],
    ])
    expect([...colours.bytes]).toEqual([0, 2, 1])
    const greys = await overlayOn(image, await coloured('greys.png', [9, 9, 9, 0, 0, 0, 2, 2, 2]))
    expect(greys.labels.map(({ key, colour }) => [key, colour])).toEqual([
      ['2', null],
      ['9', null],
    ])
    expect([...greys.bytes]).toEqual([2, 0, 1])
  })
})

const samples = join(
  process.env.SHARED_DATA ?? join(import.meta.dirname, '../../../../../../shared/data'),
  'formats',
)
const segmentation = join(samples, 'dicom/segmentation-object_1bit.dcm')

it.skipIf(!existsSync(segmentation))('a DICOM segmentation has the names of its segments', async () => {
  const source = sourceOf(segmentation, 'a.dcm')
  const { scan } = await readImage(source)
  const { bytes, labels } = await overlayOn(scan, source)
  const marked = Array.from(scan.samples).filter((sample) => sample > 0).length
  expect(marked).toBeGreaterThan(0)
  expect(bytes.filter((byte) => byte > 0).length).toBe(marked)
  expect(labels.every(({ name }) => name !== null && name !== '')).toBe(true)
})
