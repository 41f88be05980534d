/** Segmentations laid on their series: by the place of each frame, never by its number. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { drawDicom } from '../../../../test/dicom.ts'
import { type DrawnSegmentation, drawSegmentation } from '../../../../test/dicom-segments.ts'
import { deriveAll } from '../deriving.ts'
import { readImage, type Source } from '../read.ts'

const folder = mkdtempSync(join(tmpdir(), 'neuroloom-segments-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const limitBytes = 1e8
const size: [number, number] = [7, 5]
const written = (name: string, bytes: Buffer): { path: string; name: string } => {
  const path = join(folder, name)
  writeFileSync(path, bytes)
  return { path, name }
}
/** Six slices, 2.5 mm apart. */
const series = [0, 1, 2, 3, 4, 5].map((number) =>
  written(`slice${number}`, drawDicom({ size, number, z: 2.5 * number })),
)

let count = 0
async function made(segments: Record<string, number>[], ...drawn: (DrawnSegmentation | Buffer)[]) {
  count += 1
  const out = mkdtempSync(join(folder, 'out-'))
  const own = drawn.map((one, index) =>
    written(`seg${count}-${index}`, Buffer.isBuffer(one) ? one : drawSegmentation(one)),
  )
  const images = [{ files: [...series, ...own], window: null, segments }]
  const [derived] = await deriveAll({ kind: 'segments', images, out, limitBytes })
  if (!derived || 'unfit' in derived) return { unfit: derived?.unfit }
  const source: Source = {
    files: [{ path: join(out, derived.made), name: 'mask.nii.gz' }],
    ...{ siblings: new Map(), limitBytes, folder: out },
  }
  const { scan } = await readImage(source)
  const marked: Record<string, number[]> = {}
  for (const [at, value] of scan.samples.entries())
    if (value > 0) {
      const slice = Math.floor(at / (size[0] * size[1]))
      marked[`${slice}: ${value}`] = [...(marked[`${slice}: ${value}`] ?? []), at % (size[0] * size[1])]
    }
  return { marked, notes: derived.notes, geometry: scan.geometry }
}

/** The pixel of a slice, counted row by row. */
const dot = (column: number, row: number) => ({
  at: (x: number, y: number): number => Number(x === column && y === row),
  place: row * size[0] + column,
})

/** Without the sign of nought. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

it('copies each frame to the slice where it lies, in any order and with slices left out', async () => {
  const [corner, middle, end] = [dot(0, 0), dot(3, 2), dot(6, 4)]
  const { marked, notes, geometry } = await made([{ 1: 2, 2: 1 }], {
    ...{ size, names: ['vein', 'node'] },
    frames: [
      { segment: 1, z: 12.5, at: end.at },
      { segment: 2, z: 2.5, at: middle.at },
      { segment: 1, z: 5, at: corner.at },
    ],
  })
  expect(marked).toEqual({ '1: 1': [middle.place], '2: 2': [corner.place], '5: 2': [end.place] })
  expect(notes).toEqual([])
  const { scan } = await readImage({ files: series, siblings: new Map(), limitBytes, folder })
  expect(plain(geometry)).toEqual(plain(scan.geometry))
})

it('follows frames that are turned round against the series', async () => {
  const { marked } = await made([{ 1: 1 }], {
    ...{ size, names: ['node'], directions: '-1\\0\\0\\0\\1\\0', corner: [3, 0] as [number, number] },
    frames: [{ segment: 1, z: 2.5, at: dot(0, 1).at }],
  })
  expect(marked).toEqual({ '1: 1': [dot(6, 1).place] })
})

it('takes shares from one half on, numbers as they are, and says what lies on each other', async () => {
  const shares = await made([{ 1: 1 }], {
    ...{ size, names: ['tumour'], kind: 'FRACTIONAL' as const },
    frames: [{ segment: 1, z: 0, at: (x, y) => (y === 0 ? ([0, 99, 100, 200][x] ?? 0) : 0) }],
  })
  expect(shares.marked).toEqual({ '0: 1': [2, 3] })
  expect(shares.notes).toEqual([{ name: 'segments_shares', params: {} }])
  const numbers = await made([{ 1: 4, 2: 9 }], {
    ...{ size, names: ['a', 'b'], kind: 'LABELMAP' as const },
    frames: [{ segment: 1, z: 5, at: (x, y) => (y === 1 ? ([0, 1, 2][x] ?? 0) : 0) }],
  })
  expect(numbers.marked).toEqual({ '2: 4': [8], '2: 9': [9] })
  const both = await made([{ 1: 1, 2: 2 }], {
    ...{ size, names: ['liver', 'tumour'] },
    frames: [
      { segment: 1, z: 0, at: (x, y) => Number(y === 0 && x < 3) },
      { segment: 2, z: 0, at: dot(1, 0).at },
    ],
  })
  expect(both.marked).toEqual({ '0: 1': [0, 2], '0: 2': [1] })
  expect(both.notes).toEqual([{ name: 'segments_overlap', params: { count: 1 } }])
})

it('joins several files of one series', async () => {
  const one = { size, names: ['liver'], frames: [{ segment: 1, z: 0, at: dot(1, 1).at }] }
  const other = { size, names: ['spleen'], frames: [{ segment: 1, z: 10, at: dot(2, 2).at }] }
  const { marked } = await made([{ 1: 1 }, { 1: 2 }], one, other)
  expect(marked).toEqual({ '0: 1': [dot(1, 1).place], '4: 2': [dot(2, 2).place] })
})

it.each<[string, Partial<DrawnSegmentation>, number]>([
  ['between two slices', { frames: [{ segment: 1, z: 3.7, at: dot(1, 1).at }] }, 1],
  ['beyond the last slice', { frames: [{ segment: 1, z: 15, at: dot(1, 1).at }] }, 1],
  ['half a pixel beside the series', { corner: [0.25, 0] }, 2],
  ['of other pixels', { spacing: [0.25, 0.25] }, 2],
  ['of a larger picture', { size: [8, 5] }, 2],
  ['in another direction', { directions: '0\\1\\0\\0\\0\\1' }, 2],
])('frames %s are refused, with how many there are', async (_, changed, away) => {
  const frames = [
    { segment: 1, z: 0, at: dot(1, 1).at },
    { segment: 1, z: 2.5, at: dot(2, 2).at },
  ]
  const given = changed.frames ? [...frames.slice(0, 1), ...changed.frames] : frames
  const { unfit } = await made([{ 1: 1 }], { size, names: ['node'], ...changed, frames: given })
  expect(unfit).toEqual({ reason: 'dicom_segments_elsewhere', params: { count: away, frames: 2 } })
})

it('refuses frames of segments that nothing describes, and bytes that end early', async () => {
  const whole: DrawnSegmentation = {
    ...{ size, names: ['node'] },
    frames: [{ segment: 3, z: 0, at: dot(1, 1).at }],
  }
  expect((await made([{ 1: 1 }], whole)).unfit?.reason).toBe('dicom_unreadable')
  const bytes = drawSegmentation({ ...whole, frames: [{ segment: 1, z: 0, at: dot(1, 1).at }] })
  expect((await made([{ 1: 1 }], bytes.subarray(0, bytes.length - 4))).unfit?.reason).toBe('dicom_unreadable')
  expect((await made([{ 1: 1 }], drawDicom({ size }))).unfit?.reason).toBe('dicom_unreadable')
})
