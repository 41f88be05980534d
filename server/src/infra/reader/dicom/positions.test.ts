/** Where slices lie, and to which image they belong: as their own headers say, before anything is called kept. */
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { convert } from '../converting.ts'
import { Refusal, type Scan } from '../model.ts'
import { readImage, type Source } from '../read.ts'
import { dicomBytes, type Entry, sequence } from './bytes.ts'
import { EXPLICIT } from './file.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'positions-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const LIMIT = 256 * 1024 ** 2
let count = 0

async function sourceOf(files: readonly Buffer[]): Promise<Source> {
  count += 1
  const out = await mkdtemp(join(folder, 'case-'))
  const laidOut: Source['files'] = []
  for (const [index, bytes] of files.entries()) {
    const name = `${String(index).padStart(3, '0')}.dcm`
    await writeFile(join(out, name), bytes)
    laidOut.push({ path: join(out, name), name })
  }
  return { files: laidOut, siblings: new Map(), limitBytes: LIMIT, folder: out }
}

const order = {
  format: 'nifti',
  options: { joinSeries: true, window: null, depth: 'eight', quality: 92 },
  title: 'case',
  at: '2026-01-01T00:00:00.000Z',
} as const

/** The results of a conversion, read again, with its report. */
async function converted(source: Source) {
  const answer = await convert(source, order)
  const scans: Scan[] = []
  for (const name of answer.made) {
    const files = [{ path: join(source.folder, name), name }]
    scans.push((await readImage({ ...source, files })).scan)
  }
  const position = answer.checks.find(({ what }) => what === 'position')
  return { ...answer, scans, position, names: answer.notes.map(({ name }) => name) }
}

/** The middle of a voxel in the patient, in millimetres. */
function placeOf({ geometry }: Scan, voxel: readonly [number, number, number]): number[] {
  if (!geometry?.axes || !geometry.origin) throw new Error('It does not say where it lies')
  const { axes, spacing, origin } = geometry
  return [0, 1, 2].map((part) =>
    axes.reduce(
      (sum, axis, index) => sum + (axis[part] ?? 0) * (spacing[index] ?? 0) * (voxel[index] ?? 0),
      origin[part] ?? 0,
    ),
  )
}
const near = (numbers: readonly number[]) => numbers.map((one) => expect.closeTo(one, 3))

const [COLUMNS, ROWS] = [6, 5]
const axial = [1, 0, 0, 0, 1, 0]

type Slice = { position: readonly number[]; directions?: readonly number[]; number?: number; more?: Entry[] }

const pixelEntries = (frames: number): Entry[] => [
  ['00280002', 'US', 1],
  ['00280004', 'CS', 'MONOCHROME2'],
  ['00280010', 'US', ROWS],
  ['00280011', 'US', COLUMNS],
  ['00280100', 'US', 16],
  ['00280101', 'US', 16],
  ['00280102', 'US', 15],
  ['00280103', 'US', 1],
  ['7fe00010', 'OW', Buffer.from(Int16Array.from({ length: frames * COLUMNS * ROWS }, (_, at) => at).buffer)],
]

const identity = (): Entry[] => {
  count += 1
  return [
    ['00080016', 'UI', '1.2.840.10008.5.1.4.1.1.2'],
    ['00080018', 'UI', `2.25.${count}`],
    ['00080060', 'CS', 'CT'],
    ['0020000d', 'UI', '2.25.1'],
    ['0020000e', 'UI', '2.25.2'],
  ]
}

/** Later entries stand in place of earlier ones. */
const fileOf = (entries: readonly Entry[]): Buffer =>
  Buffer.concat(dicomBytes(EXPLICIT, [...new Map(entries.map((entry) => [entry[0], entry])).values()]))

const sliceFile = ({ position, directions = axial, number = 1, more = [] }: Slice): Buffer =>
  fileOf([
    ...identity(),
    ...pixelEntries(1),
    ['00180050', 'DS', '5'],
    ['00200013', 'IS', String(number)],
    ['00200032', 'DS', position.join('\\')],
    ['00200037', 'DS', directions.join('\\')],
    ['00280030', 'DS', '1\\1'],
    ...more,
  ])

const stack = (places: readonly number[], more: Entry[] = [], first = 1): Buffer[] =>
  places.map((z, index) => sliceFile({ position: [0, 0, z], number: first + index, more }))

const enhanced = (frames: readonly { position: number[]; directions: number[] }[]): Buffer =>
  fileOf([
    ...identity(),
    ...pixelEntries(frames.length),
    ['00080016', 'UI', '1.2.840.10008.5.1.4.1.1.4.1'],
    ['00080060', 'CS', 'MR'],
    ['00280008', 'IS', String(frames.length)],
    [
      '52009229',
      'SQ',
      sequence([
        [
          '00289110',
          'SQ',
          sequence([
            ['00180050', 'DS', '5'],
            ['00280030', 'DS', '1\\1'],
          ]),
        ],
      ]),
    ],
    [
      '52009230',
      'SQ',
      sequence(
        ...frames.map(({ position, directions }): Entry[] => [
          ['00209113', 'SQ', sequence([['00200032', 'DS', position.join('\\')]])],
          ['00209116', 'SQ', sequence([['00200037', 'DS', directions.join('\\')]])],
        ]),
      ),
    ],
  ])

/** Each direction with three frames, five millimetres apart. */
const threeDirections = enhanced(
  [axial, [0, 1, 0, 0, 0, -1], [1, 0, 0, 0, 0, -1]].flatMap((directions, at) => {
    const normal = [
      [0, 0, 1],
      [-1, 0, 0],
      [0, 1, 0],
    ][at] ?? [0, 0, 1]
    return [0, 1, 2].map((slice) => ({ directions, position: normal.map((part) => part * 5 * slice) }))
  }),
)

describe('the stack of a tilted gantry', () => {
  const tilt = (20 * Math.PI) / 180
  const directions = [1, 0, 0, 0, Math.cos(tilt), Math.sin(tilt)]
  const tilted = Array.from({ length: 10 }, (_, index) =>
    sliceFile({ position: [0, -20, 100 + 5 * index], directions, number: index + 1 }),
  )

  it('keeps its shear: every slice lies where its header says', async () => {
    const { scans, position, notes, names } = await converted(await sourceOf(tilted))
    expect(scans[0] && placeOf(scans[0], [0, 0, 9])).toEqual(near([0, -20, 145]))
    expect(position).toMatchObject({ state: 'kept' })
    expect(names).toContain('slices_sheared')
    expect(notes.find(({ name }) => name === 'slices_sheared')?.params).toEqual({ degrees: 20 })
  })

  it('comes back as DICOM with the same places', async () => {
    const source = await sourceOf(tilted)
    const { checks } = await convert(source, { ...order, format: 'dicom' })
    expect(checks.find(({ what }) => what === 'position')).toMatchObject({ state: 'kept' })
  })
})

describe('the report of a conversion', () => {
  it('compares the place of every slice in millimetres: missing ones move those behind them', async () => {
    const { position, names } = await converted(await sourceOf(stack([0, 3, 6, 12, 15, 21])))
    expect(position).toMatchObject({
      state: 'changed',
      why: { name: 'slices_moved', params: { most: '6', slice: 6 } },
    })
    expect(names).toContain('slice_gaps')
  })

  it('tells of a single slice that lies beside the others', async () => {
    const files = [0, 5, 10, 15, 20].map((z, index) =>
      sliceFile({ position: [index === 2 ? 4 : 0, 0, z], number: index + 1 }),
    )
    const { position } = await converted(await sourceOf(files))
    expect(position).toMatchObject({
      state: 'changed',
      why: { name: 'slices_moved', params: { most: '4', slice: 3 } },
    })
  })

  it('calls an even stack kept', async () => {
    const { position, notes } = await converted(await sourceOf(stack([0, 5, 10, 15])))
    expect(position).toMatchObject({ state: 'kept', why: null })
    expect(notes).toEqual([])
  })
})

describe('acquisitions of one series', () => {
  const places = [0, 5, 10, 15, 20, 25]
  const between = places.map((z) => z + 2.5)
  const signs: [string, (which: number) => Entry][] = [
    ['acquisition numbers', (which) => ['00200012', 'IS', String(which)]],
    ['points in time', (which) => ['00200100', 'IS', String(which)]],
    ['echo times', (which) => ['00180081', 'DS', String(20 * which)]],
    ['trigger times', (which) => ['00181060', 'DS', String(300 * which)]],
    ['times of acquisition', (which) => ['00080032', 'TM', `10000${which}`]],
  ]
  it.each(signs)('are told apart by their %s before their places are sorted', async (_, sign) => {
    const files = [...stack(places, [sign(1)]), ...stack(between, [sign(2)], 7)]
    const source = await sourceOf(files)
    const { scan } = await readImage(source)
    expect(scan).toMatchObject({ parts: 2, size: [COLUMNS, ROWS, 6, 1] })
    expect(scan.notes).toContainEqual({ name: 'parts_separate', params: { count: 2, left: 6 } })
    const { made, scans, position, names } = await converted(source)
    expect(made).toEqual(['result_part1.nii.gz', 'result_part2.nii.gz'])
    expect(scans.map((one) => placeOf(one, [0, 0, 5])[2])).toEqual(near([25, 27.5]))
    expect(position).toMatchObject({ state: 'kept' })
    expect(names).toEqual(['parts_converted'])
  })

  it('are told apart by the run of their numbers where nothing else says it', async () => {
    const source = await sourceOf([...stack(places), ...stack(between, [], 7)])
    expect((await readImage(source)).scan).toMatchObject({ parts: 2, size: [COLUMNS, ROWS, 6, 1] })
  })

  it('of which one lacks a slice are no volume of both', async () => {
    const [first, second]: Entry[] = [
      ['00200012', 'IS', '1'],
      ['00200012', 'IS', '2'],
    ]
    if (!first || !second) throw new Error('no signs')
    const source = await sourceOf([...stack(places, [first]), ...stack(places.slice(0, 5), [second], 7)])
    expect((await readImage(source)).scan).toMatchObject({ parts: 2, size: [COLUMNS, ROWS, 6, 1] })
  })

  it('at the same places are points in time, and halves taken in turn are one stack', async () => {
    const again: Entry = ['00200012', 'IS', '2']
    const inTime = await sourceOf([...stack(places), ...stack(places, [again], 7)])
    expect((await readImage(inTime)).scan).toMatchObject({ parts: 1, size: [COLUMNS, ROWS, 6, 2] })
    const thin: Entry = ['00180050', 'DS', '2.5']
    const inTurn = await sourceOf([...stack(places, [thin]), ...stack(between, [thin, again], 7)])
    expect((await readImage(inTurn)).scan).toMatchObject({ parts: 1, size: [COLUMNS, ROWS, 12, 1] })
  })
})

describe('a file with frames in several directions', () => {
  it('is shown as pictures in a row, and says so', async () => {
    const { scan } = await readImage(await sourceOf([threeDirections]))
    expect(scan).toMatchObject({ layout: 'stack', parts: 3, size: [COLUMNS, ROWS, 9, 1] })
    expect(scan.notes).toContainEqual({ name: 'parts_in_row', params: { count: 3, left: 0 } })
  })

  it('becomes an image of each direction', async () => {
    const { scans, position } = await converted(await sourceOf([threeDirections]))
    expect(scans.map(({ size }) => size)).toEqual(Array.from({ length: 3 }, () => [COLUMNS, ROWS, 3, 1]))
    expect(scans.map((scan) => placeOf(scan, [0, 0, 2]).map((part) => Math.abs(part)))).toEqual([
      near([0, 0, 10]),
      near([10, 0, 0]),
      near([0, 10, 0]),
    ])
    expect(scans.map(({ samples }) => samples[0])).toEqual(expect.arrayContaining([0]))
    expect(position).toMatchObject({ state: 'kept' })
  })
})

describe('numbers that are there and cannot be read', () => {
  const scaled = (slope: string, intercept: string, more: Entry[] = []) =>
    [0, 1, 2].map((z) =>
      sliceFile({
        position: [0, 0, z],
        number: z + 1,
        more: [['00281053', 'DS', slope], ['00281052', 'DS', intercept], ...more],
      }),
    )

  it('with a comma are read as decimal fractions, and the reader says so', async () => {
    const commas: Entry[] = [
      ['00280030', 'DS', '0,143\\0,143'],
      ['00281050', 'DS', '40,5'],
      ['00281051', 'DS', '300,5'],
    ]
    const { scan } = await readImage(await sourceOf(scaled('0,5', '-100,25', commas)))
    expect(scan).toMatchObject({ slope: 0.5, intercept: -100.25, unit: 'HU' })
    expect(scan.geometry?.spacing).toEqual(near([0.143, 0.143, 1]))
    expect(scan.windows).toMatchObject([{ center: 40.5, width: 300.5 }])
    expect(scan.notes).toContainEqual({
      name: 'decimal_comma',
      params: { names: 'Rescale Slope, Rescale Intercept, Pixel Spacing, Window Center, Window Width' },
    })
  })

  it.each([
    ['slope', 'one half', '-100'],
    ['intercept', '2', '1.2.3'],
  ])('as a %s make no Hounsfield units, and nothing is made of them', async (_, slope, intercept) => {
    const source = await sourceOf(scaled(slope, intercept))
    const { scan } = await readImage(source)
    expect(scan.unit).toBe('')
    expect(scan.notes.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['numbers_unreadable', 'scale_unreadable']),
    )
    const refused = await convert(source, order).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(Refusal)
    expect(refused).toMatchObject({ reason: 'scale_unreadable' })
  })

  it('are not the same as numbers that are absent', async () => {
    const { scan } = await readImage(await sourceOf(stack([0, 1, 2])))
    expect(scan).toMatchObject({ slope: 1, intercept: 0, notes: [] })
  })

  it('leave the shape of pixels to their ratio where their size is not given', async () => {
    const file = fileOf([...identity(), ...pixelEntries(1), ['00280034', 'IS', '6\\5']])
    const source = await sourceOf([file])
    const { scan } = await readImage(source)
    expect(scan).toMatchObject({ geometry: null, pixelAspect: 1.2 })
    const { names } = await converted(source)
    expect(names).toContain('pixel_aspect')
  })
})

const reported = join(
  process.env.SHARED_DATA ?? join(import.meta.dirname, '../../../../../../shared/data'),
  'reported',
)
const isThere = existsSync(reported)

describe.skipIf(!isThere)(
  `the samples of what people reported${isThere ? '' : ` (not in ${reported})`}`,
  () => {
    const sample = async (name: string): Promise<Source> => {
      const names = (await readdir(join(reported, name))).sort()
      const files = names.map((one) => ({ path: join(reported, name, one), name: one }))
      return { files, siblings: new Map(), limitBytes: LIMIT, folder: await mkdtemp(join(folder, 'sample-')) }
    }

    it('02: the stack of a tilted gantry has (0, 0, 5) for its third column', async () => {
      const { scans, position, names } = await converted(await sample('02-gantry-tilt'))
      const [scan] = scans
      if (!scan) throw new Error('nothing was made')
      const [start, end] = [placeOf(scan, [0, 0, 0]), placeOf(scan, [0, 0, 1])]
      expect(end.map((part, index) => Math.abs(part - (start[index] ?? 0)))).toEqual(near([0, 0, 5]))
      expect(scan.size[2]).toBe(12)
      expect(position?.state).toBe('kept')
      expect(names).toContain('slices_sheared')
    })

    it('40: three directions in one file become three images', async () => {
      const { scans, names } = await converted(await sample('40-enhanced-three-planes'))
      expect(scans.map(({ size }) => size[2])).toEqual([3, 3, 3])
      expect(scans.map(({ geometry }) => geometry?.spacing[2])).toEqual(near([5, 5, 5]))
      expect(names).toContain('parts_converted')
    })

    it('04: decimal commas are read, and the reader says so', async () => {
      const { scan } = await readImage(await sample('04-decimal-comma'))
      expect(scan.geometry?.spacing).toEqual(near([0.143, 0.143, 1.5]))
      expect(scan).toMatchObject({ slope: 0.5, intercept: -100.25 })
      expect(scan.windows).toMatchObject([{ center: 40.5, width: 300.5 }])
      expect(scan.notes.map(({ name }) => name)).toContain('decimal_comma')
    })
  },
)
