/**
 * Volumes lie after every way through DICOM where they lay before, to a hundredth of a millimetre: against the positions in the
 * headers, and against dcm2niix (X. Li et al., J Neurosci Methods 264, 2016) where that is installed.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { convert } from '../converting.ts'
import type { Scan } from '../model.ts'
import { readImage, type Source } from '../read.ts'
import { isDicom, openDicom } from './file.ts'

const shared = process.env.SHARED_DATA ?? join(import.meta.dirname, '../../../../../../shared/data')
const isInstalled = spawnSync('dcm2niix', ['--version']).error === undefined
const LIMIT = 512 * 1024 ** 2
/** In millimetres. */
const NEAR = 0.01

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'places-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const order = {
  options: { joinSeries: true, window: null, depth: 'eight', quality: 92 },
  title: 'case',
  at: '2026-01-01T00:00:00.000Z',
} as const

const sourceOf = async (paths: readonly string[]): Promise<Source> => ({
  files: paths.map((path) => ({ path, name: basename(path) })),
  ...{ siblings: new Map(), limitBytes: LIMIT, folder: await mkdtemp(join(folder, 'out-')) },
})

/** Results of a conversion, read again; `isMoved`: its report says that slices lie elsewhere now. */
async function converted(
  source: Source,
  format: 'nifti' | 'dicom',
): Promise<{ made: string[]; scans: Scan[]; isMoved: boolean }> {
  const answer = await convert(source, { ...order, format })
  const isMoved = answer.checks.some(({ what, state }) => what === 'position' && state === 'changed')
  const made = answer.made.map((name) => join(source.folder, name))
  const groups = format === 'dicom' ? [made] : made.map((path) => [path])
  const scans: Scan[] = []
  for (const files of groups) scans.push((await readImage(await sourceOf(files))).scan)
  return { made, scans, isMoved }
}

type Point = readonly number[]

function placeOf({ geometry }: Scan, voxel: Point): number[] {
  if (!geometry?.axes || !geometry.origin) throw new Error('It does not say where it lies')
  const { axes, spacing, origin } = geometry
  return origin.map((start, part) =>
    axes.reduce(
      (sum, axis, index) => sum + (axis[part] ?? 0) * (spacing[index] ?? 0) * (voxel[index] ?? 0),
      start,
    ),
  )
}

const cornersOf = (scan: Scan): number[][] => {
  const [x, y, z] = scan.size
  return [0, x - 1].flatMap((column) =>
    [0, y - 1].flatMap((row) => [0, z - 1].map((slice) => placeOf(scan, [column, row, slice]))),
  )
}

const apart = (one: Point, other: Point): number =>
  Math.hypot(...one.map((part, index) => part - (other[index] ?? 0)))
/** How far the furthest corner of one volume lies from the nearest of the other, in whatever order they store their voxels. */
const awayFrom = (one: Scan, other: Scan): number =>
  Math.max(
    ...cornersOf(one).map((corner) => Math.min(...cornersOf(other).map((next) => apart(corner, next)))),
  )

/** Files by the series that they say, of every folder with DICOM below the samples. */
function seriesBelow(root: string): [string, string[]][] {
  if (!existsSync(root)) return []
  const series = new Map<string, string[]>()
  const entries = readdirSync(root, { recursive: true, withFileTypes: true })
  for (const entry of entries.filter((one) => one.isFile() && !one.parentPath.includes('/broken'))) {
    const path = join(entry.parentPath, entry.name)
    const bytes = readFileSync(path)
    if (!isDicom(bytes)) continue
    const uid = uidOf(bytes)
    if (uid === null) continue
    const key = `${entry.parentPath.slice(root.length + 1)} ${uid}`
    series.set(key, [...(series.get(key) ?? []), path])
  }
  return [...series].map(([key, paths]) => [key, paths.sort()])
}

/** Null of what holds no picture, or cannot be opened. */
function uidOf(bytes: Buffer): string | null {
  try {
    const file = openDicom(bytes, { limitBytes: LIMIT, untilPixels: true })
    return file.has('00280010') ? file.text('0020000e') : null
  } catch {
    return null
  }
}

const all = seriesBelow(shared)
const several = all.filter(([, paths]) => paths.length > 1)

/** Where the first pixel of each file lies by its own header. */
const positionsIn = (paths: readonly string[]): number[][] =>
  paths.map((path) =>
    openDicom(readFileSync(path), { limitBytes: LIMIT, untilPixels: true }).numbers('00200032'),
  )

/** Series each file of which says where it lies, no two in one place: not one picture packed in several ways. */
const placed = several.filter(([, paths]) => {
  const places = positionsIn(paths)
  const isSaid = places.every((place) => place.length === 3 && place.every(Number.isFinite))
  return isSaid && new Set(places.map(String)).size === places.length
})

describe.skipIf(placed.length === 0)(`the series below ${shared}`, () => {
  it.each(placed)('%s has each slice where its header says, or the report names it', async (_, paths) => {
    const source = await sourceOf(paths)
    const { notes } = (await readImage(source)).scan
    const { scans, isMoved } = await converted(source, 'nifti')
    const starts = scans.flatMap((scan) =>
      Array.from({ length: scan.size[2] }, (_, slice) => placeOf(scan, [0, 0, slice])),
    )
    const isElsewhere = positionsIn(paths).filter(
      (position) => !(Math.min(...starts.map((start) => apart(start, position))) < NEAR),
    )
    const leftOut = notes.find(({ name }) => name === 'slices_left_out')?.params.count ?? 0
    if (isMoved) expect(notes.map(({ name }) => name)).toContain('slice_gaps')
    else expect(isElsewhere).toHaveLength(Number(leftOut))
  })
})

const volumes = [
  'formats/nifti/3d_anatomical.nii',
  'formats/nifti/label_hippo.nii.gz',
  'formats/same-volume/hippo.nii.gz',
].filter((name) => existsSync(join(shared, name)))

describe.skipIf(volumes.length === 0)('a volume that goes through DICOM and back', () => {
  it.each(volumes)('%s lies where it lay', async (name) => {
    const source = await sourceOf([join(shared, name)])
    const { scan } = await readImage(source)
    const series = await converted(source, 'dicom')
    const [again] = (await converted(await sourceOf(series.made), 'nifti')).scans
    if (!again) throw new Error('Nothing came back')
    expect([...again.size].sort()).toEqual([...scan.size].sort())
    expect(awayFrom(scan, again)).toBeLessThan(NEAR)
  })
})

/** What dcm2niix makes of these files alone; of a tilted gantry it writes a straightened copy, too. */
async function byDcm2niix(paths: readonly string[]): Promise<Scan[]> {
  const [inside, out] = [await mkdtemp(join(folder, 'in-')), await mkdtemp(join(folder, 'nii-'))]
  await mkdir(out, { recursive: true })
  for (const [index, path] of paths.entries()) await copyFile(path, join(inside, `${index}.dcm`))
  const run = spawnSync('dcm2niix', ['-b', 'n', '-z', 'n', '-f', '%s_%d', '-o', out, inside])
  expect(run.status, run.stdout.toString()).toBe(0)
  const scans: Scan[] = []
  for (const name of readdirSync(out).filter((one) => one.endsWith('.nii')))
    scans.push((await readImage(await sourceOf([join(out, name)]))).scan)
  return scans
}

const absent = isInstalled ? '' : ' (skipped: dcm2niix is not installed)'

describe.skipIf(!isInstalled)(`beside dcm2niix${absent}`, () => {
  /** There a sheared stack is written as if it were straight, gaps are closed otherwise, and other files are left out. */
  const otherwise = new Set(['slices_sheared', 'slice_gaps', 'slices_left_out', 'decimal_comma'])

  it.each(placed)('%s lies in the same place', async (_, paths) => {
    const source = await sourceOf(paths)
    const { notes } = (await readImage(source)).scan
    if (notes.some(({ name }) => otherwise.has(name))) return
    const { scans } = await converted(source, 'nifti')
    const others = await byDcm2niix(paths)
    for (const scan of scans)
      expect(Math.min(...others.map((other) => awayFrom(scan, other)))).toBeLessThan(NEAR)
  })

  it.each(volumes)('%s is read back from our DICOM where it lay', async (name) => {
    const source = await sourceOf([join(shared, name)])
    const { scan } = await readImage(source)
    const { made } = await converted(source, 'dicom')
    const others = await byDcm2niix(made)
    expect(Math.min(...others.map((other) => awayFrom(scan, other)))).toBeLessThan(NEAR)
  })
})
