/** A known flow, written as each maker writes it, comes back: velocities within VENC/2048, places within 0.01 mm and 1e-5 rad. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { FlowAnswer } from '@neuroloom/contract/flow/study'
import { afterAll, expect, it } from 'vitest'
import { along, type FlowField, makeField, placeOf } from '../../../../test/flow-field.ts'
import {
  type Convention,
  conventions,
  putFiles,
  readStudy,
  type StudyRead,
} from '../../../../test/flow-files.ts'
import type { Triple } from '../model.ts'
import type { FlowFile } from './images.ts'
import { lookAtFlow } from './look.ts'
import { makeFlow } from './make.ts'

const folder = mkdtempSync(join(tmpdir(), 'neuroloom-flow-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const nothing: FlowAnswer = { series: [] }

async function make(
  files: readonly FlowFile[],
  answer = nothing,
): Promise<StudyRead & { problems: string[] }> {
  const out = join(folder, 'study.safetensors')
  const { problems } = await makeFlow({ files, answer, out, folder, limitBytes: 2 ** 30 })
  return { ...readStudy(out), problems: problems.map(({ reason }) => reason) }
}

/** In DICOM's axes, out of the study's own: right, front, head. */
function lpsOf({ affine }: StudyRead['study'], [x, y, z]: Triple): Triple {
  const ras = affine.map(([a, b, c, d]) => a * x + b * y + c * z + d)
  return [-(ras[0] ?? 0), -(ras[1] ?? 0), ras[2] ?? 0]
}

/** Where a component of the study goes, in DICOM's axes. */
function axisOf({ affine, spacing, directions }: StudyRead['study'], component: number): Triple {
  const at = (part: number): number =>
    [0, 1, 2].reduce(
      (sum, axis) =>
        sum + ((affine[part]?.[axis] ?? 0) / (spacing[axis] ?? 1)) * (directions[component]?.[axis] ?? 0),
      0,
    )
  return [-at(0), -at(1), at(2)]
}

/** The greatest error of a velocity in m/s, of a place in mm and of a magnitude. */
function errorsOf(field: FlowField, { study, velocity, magnitude }: StudyRead, magnitudeScale: number) {
  const [x, y, z] = study.size
  const each = x * y * z * study.frames
  const axes = [0, 1, 2].map((component) => axisOf(study, component))
  const worst = { velocity: 0, place: 0, magnitude: 0 }
  for (let at = 0; at < each; at += 19) {
    const voxel: Triple = [at % x, Math.floor(at / x) % y, Math.floor(at / (x * y)) % z]
    const time = field.times[Math.floor(at / (x * y * z))] ?? 0
    const place = placeOf(field, voxel)
    const truth = field.velocityAt(place, time)
    for (const [component, axis] of axes.entries()) {
      const value = (velocity[component * each + at] ?? 0) * study.velocityScale
      worst.velocity = Math.max(worst.velocity, Math.abs(value - along(truth, axis)))
    }
    const found = lpsOf(study, voxel)
    worst.place = Math.max(worst.place, Math.hypot(...found.map((one, part) => one - (place[part] ?? 0))))
    worst.magnitude = Math.max(
      worst.magnitude,
      Math.abs((magnitude[at] ?? 0) / magnitudeScale - field.magnitudeAt(place)),
    )
  }
  return worst
}

const field = makeField()
const expected: Record<Convention, { vendor: string; unsure: string[]; notes: string[] }> = {
  siemens: { vendor: 'siemens', unsure: [], notes: [] },
  // Three magnitudes, of which one is taken.
  philips: { vendor: 'philips', unsure: ['role'], notes: [] },
  ge: { vendor: 'ge', unsure: ['direction'], notes: [] },
  united_imaging: { vendor: 'united_imaging', unsure: ['direction'], notes: [] },
  enhanced_siemens: { vendor: 'siemens', unsure: [], notes: [] },
  enhanced_philips: { vendor: 'philips', unsure: [], notes: [] },
  par_rec: { vendor: 'philips', unsure: ['role'], notes: [] },
}

it.each(Object.keys(conventions) as Convention[])(
  '%s is recognised, and comes back as it was',
  async (name) => {
    const files = putFiles(join(folder, name), conventions[name](field))
    const look = await lookAtFlow(files)
    const used = look.series.filter(({ role }) => role !== 'unused')
    const { vendor, unsure, notes } = expected[name]
    expect(look).toMatchObject({ vendor, source: name === 'par_rec' ? 'par_rec' : 'dicom', leftOut: 0 })
    expect(look.problems).toEqual(notes)
    expect(used.map(({ role }) => role)).toEqual(['velocity', 'velocity', 'velocity', 'magnitude'])
    expect(new Set(look.series.flatMap((one) => one.unsure))).toEqual(new Set(unsure))
    for (const one of used) expect(one).toMatchObject({ size: [24, 20, 12], frames: 6 })
    for (const one of used.slice(0, 3)) expect(one.venc).toBeCloseTo(1.5, 6)
    const read = await make(files)
    expect(read.study).toMatchObject({
      size: [24, 20, 12],
      frames: 6,
      isPlaced: true,
      vendor,
      source: look.source,
    })
    for (const [at, time] of field.times.entries()) expect(read.study.times[at]).toBeCloseTo(time, 5)
    // PAR files tell whole beats a minute.
    expect(read.study.period).toBeCloseTo(field.period, name === 'par_rec' ? 2 : 3)
    // What may need all 16 bits takes half of what it is.
    const errors = errorsOf(field, read, name === 'par_rec' ? 32_767 / 65_536 : 1)
    expect(errors.velocity).toBeLessThan(field.venc / 2048)
    expect(errors.place).toBeLessThan(0.01)
    expect(errors.magnitude).toBeLessThan(1.01)
    for (const [axis, truth] of field.directions.entries()) {
      const step = read.study.affine.map((row) => (row[axis] ?? 0) / (read.study.spacing[axis] ?? 1))
      expect(
        Math.hypot(-(step[0] ?? 0) - truth[0], -(step[1] ?? 0) - truth[1], (step[2] ?? 0) - truth[2]),
      ).toBeLessThan(1e-5)
    }
    expect(read.problems).toEqual(notes)
  },
)

const phantom = join(
  process.env.SHARED_DATA ?? join(import.meta.dirname, '../../../../../../shared/data'),
  'flow4d-phantom-womersley',
)

it.skipIf(!existsSync(phantom))(
  'a phantom of no maker is read, and holds what is known of it (skipped where it is absent)',
  async () => {
    const files = readdirSync(join(phantom, 'dicom')).flatMap((part) =>
      readdirSync(join(phantom, 'dicom', part)).map((name) => ({
        path: join(phantom, 'dicom', part, name),
        name: `${part}/${name}`,
      })),
    )
    const look = await lookAtFlow(files)
    expect(look).toMatchObject({ vendor: null, period: 1, problems: [], leftOut: 0 })
    expect(
      look.series.map(({ role, direction, unit, venc, unsure }) => [role, direction, unit, venc, unsure]),
    ).toEqual([
      // As the standard's tag says it, whatever the names of the series are.
      ['velocity', 'LR', 'cm/s', 1.5, []],
      ['velocity', 'PA', 'cm/s', 1.5, []],
      ['velocity', 'FH', 'cm/s', 1.5, []],
      ['magnitude', null, null, null, []],
    ])
    const read = await make(files)
    const [x, y, z] = read.study.size
    const each = x * y * z * read.study.frames
    expect(read.study).toMatchObject({ size: [40, 36, 9], frames: 6, isPlaced: true, period: 1 })
    const parts = ['vx', 'vy', 'vz'].map(
      (name) => [niftiOf(`nifti/${name}`), niftiOf(`truth/${name}`)] as const,
    )
    const axes = [0, 1, 2].map((component) => axisOf(read.study, component))
    let worst = 0
    let sum = 0
    let count = 0
    for (let at = 0; at < each; at += 5) {
      const voxel: Triple = [at % x, Math.floor(at / x) % y, Math.floor(at / (x * y)) % z]
      const [l, p, h] = lpsOf(read.study, voxel)
      for (const [component, [left = 0, back = 0, head = 0]] of axes.entries()) {
        const value = (read.velocity[component * each + at] ?? 0) * read.study.velocityScale * 100
        // Six phases of twelve, which are not all as far apart; in the axes right, front, head.
        const time = Math.round(12 * (read.study.times[Math.floor(at / (x * y * z))] ?? 0))
        const known = (which: 0 | 1): number =>
          [-left, -back, head].reduce(
            (all, share, part) => all + share * (parts[part]?.[which]([-l, -p, h], time) ?? 0),
            0,
          )
        worst = Math.max(worst, Math.abs(value - known(0)))
        const truth = known(1)
        if (truth !== 0) {
          sum += (value - truth) ** 2
          count += 1
        }
      }
    }
    // Both were written in steps of 0.073 cm/s; the noise in the tube is 2.17 cm/s.
    expect(worst).toBeLessThan(0.1)
    expect(Math.sqrt(sum / count)).toBeLessThan(2.4)
    expect(count).toBeGreaterThan(2000)
  },
)

/** The value at a place in mm (right, front, head), and of which time. */
function niftiOf(name: string): (place: Triple, time: number) => number {
  const bytes = gunzipSync(readFileSync(join(phantom, `${name}.nii.gz`)))
  const [x = 0, y = 0, z = 0] = [42, 44, 46].map((at) => bytes.readInt16LE(at))
  const isFloat = bytes.readInt16LE(70) === 16
  const [start, slope, offset] = [108, 112, 116].map((at) => bytes.readFloatLE(at))
  const rows = [280, 296, 312].map((at) => [0, 4, 8, 12].map((step) => bytes.readFloatLE(at + step)))
  return (place, time) => {
    const [i = 0, j = 0, k = 0] = place.map((one, axis) =>
      Math.round((one - (rows[axis]?.[3] ?? 0)) / (rows[axis]?.[axis] ?? 1)),
    )
    const at = ((time * z + k) * y + j) * x + i
    if (isFloat) return bytes.readFloatLE((start ?? 0) + 4 * at)
    return bytes.readInt16LE((start ?? 0) + 2 * at) * (slope || 1) + (offset ?? 0)
  }
}
