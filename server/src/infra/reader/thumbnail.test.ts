import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, describe, expect, it } from 'vitest'
import { plainScan, type Scan, type Triple } from './model.ts'
import { writeThumbnail } from './thumbnail.ts'

const folder = mkdtempSync(join(tmpdir(), 'neuroloom-thumbnail-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Four columns, two rows, three slices; the middle slice is dark but for its first corner. */
function scanOf(parts: Partial<Scan>): Scan {
  const samples = new Int16Array(4 * 2 * 3).fill(500)
  samples.fill(0, 8, 16)
  samples[8] = 100
  return {
    ...plainScan,
    format: 'dicom',
    size: [4, 2, 3, 1],
    samples,
    dataType: 'int16',
    bits: 16,
    windows: [],
    notes: [],
    ...parts,
  }
}

async function greysOf(scan: Scan, side = 256): Promise<{ width: number; height: number; greys: number[] }> {
  const path = join(folder, 'one.webp')
  await writeThumbnail(scan, path, side)
  const { data, info } = await sharp(readFileSync(path))
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, greys: [...data] }
}

/** Where it is brightest, as column and row. */
async function brightest(scan: Scan): Promise<[number, number]> {
  const { width, greys } = await greysOf(scan)
  const at = greys.indexOf(Math.max(...greys))
  return [at % width, Math.floor(at / width)]
}

const lying = (columns: Triple, rows: Triple, slices: Triple): Partial<Scan> => ({
  geometry: { origin: null, spacing: [1, 1, 1], axes: [columns, rows, slices] },
})
const [left, back, head]: Triple[] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
] as [Triple, Triple, Triple]
const turned = ([x, y, z]: Triple): Triple => [-x, -y, -z]

describe('a thumbnail', () => {
  it.each([
    ['as stored where nothing is said', {}, [0, 0]],
    ['NIfTI without directions: rows go up', { format: 'nifti' }, [0, 1]],
    ['from the feet, as radiographers do', lying(left, back, head), [0, 0]],
    ['rows to the front', lying(left, turned(back), head), [0, 1]],
    ['columns to the right', lying(turned(left), back, head), [3, 0]],
    ['the head up', lying(left, head, back), [0, 1]],
    ['columns to the head', lying(turned(head), back, left), [0, 0]],
  ])('shows the middle slice: %s', async (_, parts, place) => {
    expect(await brightest(scanOf(parts as Partial<Scan>))).toEqual(place)
  })

  it('has the proportions of real things, and is no larger than asked', async () => {
    const geometry = { origin: null, spacing: [1, 4, 1] as Triple, axes: null }
    expect(await greysOf(scanOf({ geometry }))).toMatchObject({ width: 4, height: 8 })
    expect(await greysOf(scanOf({ geometry }), 4)).toMatchObject({ width: 2, height: 4 })
  })

  it('shows the window of the file unless that shows nothing, else all but the darkest and brightest hundredth', async () => {
    const samples = Int16Array.from({ length: 400 }, (_, index) => (index === 399 ? 30_000 : index))
    const scan = scanOf({ size: [20, 20, 1, 1], samples })
    const { greys } = await greysOf(scan)
    expect(greys[200]).toBeGreaterThan(100)
    const windowed = await greysOf({ ...scan, windows: [{ center: 600, width: 1200, name: '' }] })
    expect(windowed.greys[200]).toBeLessThan(60)
    const useless = await greysOf({ ...scan, windows: [{ center: 15_000, width: 30_000, name: '' }] })
    expect(useless.greys).toEqual(greys)
    const inverted = await greysOf({ ...scan, photometric: 'MONOCHROME1' })
    expect(inverted.greys[0]).toBeGreaterThan(220)
  })
})
