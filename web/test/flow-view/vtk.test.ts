import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { unzipSync } from 'fflate'
import { afterEach, expect, it } from 'vitest'
import { askOf, startChoice } from '../../src/features/flow/viewer/choice.ts'
import type { Seen } from '../../src/features/flow/viewer/exports/origin.ts'
import { vtkBundle } from '../../src/features/flow/viewer/exports/vtk-bundle.ts'
import type { FlowWorker } from '../../src/features/flow/viewer/numbers/ask-worker.ts'
import {
  type Measured,
  readMeasured,
  velocityAt,
  voxelsOf,
} from '../../src/features/flow/viewer/numbers/measured.ts'
import { openSession } from '../../src/features/flow/viewer/numbers/session.ts'
import { patientPlace, patientVector } from '../../src/features/flow/viewer/numbers/view-plane.ts'
import { makeStudy } from './make-study.ts'

const VENC = 1.5
/** As scanners lie oblique: turned about two axes, and far from the middle. */
const [c, s, d, f] = [Math.cos(0.4), Math.sin(0.4), Math.cos(0.7), Math.sin(0.7)]
const turn = [
  [-c, s * f, s * d],
  [-s, -c * f, -c * d],
  [0, -d, f],
] as const
const spacing: [number, number, number] = [1.25, 1.75, 2.5]
const row = (axis: 0 | 1 | 2, away: number): [number, number, number, number] => [
  turn[axis][0] * spacing[0],
  turn[axis][1] * spacing[1],
  turn[axis][2] * spacing[2],
  away,
]

const study = (isPlaced: boolean) =>
  makeStudy({
    size: [7, 6, 5],
    frames: 3,
    velocity: ([x, y, z], frame) =>
      x === 6 && y === 5 ? null : [0.1 * x - 0.05 * frame, 0.2 - 0.07 * y, 0.9 - 0.3 * z + 0.02 * x * y],
    magnitude: ([x, y], frame) => 40 + 10 * x + y + frame,
    head: {
      ...{ spacing, isPlaced, velocityScale: VENC / 8191, times: [0, 0.25, 0.5], period: 0.8 },
      affine: isPlaced
        ? [row(0, 31.5), row(1, -120.25), row(2, 77)]
        : [
            [spacing[0], 0, 0, 0],
            [0, spacing[1], 0, 0],
            [0, 0, spacing[2], 0],
          ],
      directions: [
        [0, 1, 0],
        [0, 0, 1],
        [1, 0, 0],
      ],
    },
  })

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

async function exported(measured: Measured): Promise<{ files: Record<string, Uint8Array>; seen: Seen }> {
  const session = openSession(measured)
  const choice = { ...startChoice(session.facts), frame: 1 }
  const seen: Seen = {
    ...{ facts: session.facts, choice, cuts: [], provenance: { corrections: { offset: 1 } } },
    source: { key: 'arch', name: 'Arch -- two', values: '', head: measured.head },
  }
  const answers = { sha256: () => 'b'.repeat(64), vti: session.vti }
  // The two questions that an export asks.
  const worker = {
    ask: async (kind: 'sha256' | 'vti', ask: never) => answers[kind](ask),
  } as unknown as FlowWorker
  const blob = await vtkBundle({
    ...{ seen, worker, picture: session.picture(askOf(measured.head, choice)) },
    ...{ onProgress: () => {}, signal: new AbortController().signal },
  })
  return { files: unzipSync(new Uint8Array(await blob.arrayBuffer())), seen }
}

/** As the engine reads files that a member brings. */
const READ = `
import json, sys
from pathlib import Path
from neuroloom_engine.flow.files.found import File, Limits
from neuroloom_engine.flow.files.reading import look, make
from neuroloom_engine.flow.files.vtk_xml import open_vti
limits = Limits(1 << 30, 4 << 30)
folder = Path(sys.argv[1])
files = [File(one, str(one.relative_to(folder))) for one in sorted(folder.rglob("*")) if one.suffix in (".vti", ".pvd")]
looked = look(files, limits)
venc = [{"id": one["id"], "venc": 1.5} for one in looked["series"] if one["role"] == "velocity"]
head = make(files, looked, {"series": venc, "period": 0.8}, folder / "made.safetensors", limits)
image = open_vti(files[-1], limits)
mask = image.load("mask")[:, 0]
print(json.dumps({"looked": looked, "head": head, "mask": [int(one) for one in mask], "fields": dict(image.fields)}))
`

function readByEngine(files: Record<string, Uint8Array>) {
  const folder = mkdtempSync(join(tmpdir(), 'vtk-'))
  folders.push(folder)
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  const python = process.env.ENGINE_PYTHON ?? '/usr/bin/python3'
  const engine = join(import.meta.dirname, '../../../engine')
  const { status, stdout, stderr } = spawnSync(python, ['-c', READ, folder], {
    cwd: engine,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(stderr)
  const made = readMeasured(new Uint8Array(readFileSync(join(folder, 'made.safetensors'))))
  return { ...JSON.parse(stdout.split('\n').findLast((line) => line.startsWith('{')) ?? ''), made }
}

it.each([true, false])(
  'writes images that the engine reads as the same study (placed: %s)',
  async (isPlaced) => {
    const measured = study(isPlaced)
    const { files, seen } = await exported(measured)
    const { looked, made, mask, fields } = readByEngine(files)
    const velocity = looked.series.filter(({ role }: { role: string }) => role === 'velocity')
    expect(velocity.map(({ unit }: { unit: string }) => unit)).toEqual(['m/s', 'm/s', 'm/s'])
    expect(made.head.size).toEqual([7, 6, 5])
    expect(made.head.times).toEqual([0, 0.25, 0.5])
    for (const axis of [0, 1, 2] as const)
      expect(Math.abs(made.head.spacing[axis] - spacing[axis])).toBeLessThan(0.01)
    const [told, read] = [new Float64Array(3), new Float64Array(3)]
    let [worst, unknown] = [0, 0]
    for (let frame = 0; frame < 3; frame++) {
      for (let voxel = 0; voxel < voxelsOf(measured.head); voxel++) {
        velocityAt(measured, { voxel, frame }, told)
        velocityAt(made, { voxel, frame }, read)
        if (told.some(Number.isNaN)) {
          unknown++
          expect(read.some(Number.isNaN)).toBe(true)
        } else
          for (const axis of [0, 1, 2])
            worst = Math.max(worst, Math.abs((told[axis] ?? 0) - (read[axis] ?? 9)))
      }
    }
    expect(worst).toBeLessThanOrEqual(VENC / 2048)
    expect(unknown).toBe(3 * 5)
    expect(mask.reduce((sum: number, is: number) => sum + is, 0)).toBe(
      openSession(measured).picture(askOf(measured.head, seen.choice)).voxels,
    )
    expect(fields).toMatchObject({ TimeValue: 0.5, VENC })
  },
)

it('lies in the patient where the study lies, to a hundredth of a millimetre', async () => {
  const measured = study(true)
  const { files } = await exported(measured)
  const text = new TextDecoder('latin1').decode(files['frames/flow_001.vti'])
  const numbers = (name: string) =>
    new RegExp(`${name}="([^"]+)"`).exec(text)?.[1]?.split(' ').map(Number) ?? []
  const [origin, sides, axes] = [numbers('Origin'), numbers('Spacing'), numbers('Direction')]
  for (const voxel of [
    [0, 0, 0],
    [6, 0, 4],
    [3, 5, 1],
  ] as const) {
    const place = patientPlace(measured.head, voxel)
    for (const axis of [0, 1, 2]) {
      const told = voxel.reduce(
        (sum, step, at) => sum + (axes[3 * axis + at] ?? 0) * (sides[at] ?? 0) * step,
        origin[axis] ?? 0,
      )
      expect(Math.abs(told - (place[axis] ?? 0))).toBeLessThan(0.01)
    }
  }
  expect(patientVector(measured.head, [1, 0, 0])[0]).toBeCloseTo(axes[0] ?? 0)
})

it('tells study, sums, software and units, and takes the shown streamlines along', async () => {
  const { files } = await exported(study(true))
  expect(Object.keys(files).sort()).toEqual([
    'README.txt',
    'flow.pvd',
    ...['1', '2', '3'].map((frame) => `frames/flow_00${frame}.vti`),
    'options.json',
    'streamlines.vtp',
  ])
  const text = (name: string) => new TextDecoder('latin1').decode(files[name])
  for (const name of ['README.txt', 'options.json', 'frames/flow_002.vti', 'streamlines.vtp']) {
    for (const part of ['b'.repeat(64), 'a'.repeat(64), 'Neuroloom 0.', 'not for diagnosis'])
      expect(text(name)).toContain(part)
  }
  expect(text('README.txt')).toContain('m/s')
  expect(JSON.parse(text('options.json'))).toMatchObject({
    study: 'Arch -- two',
    provenance: { corrections: { offset: 1 } },
    settings: { vorticityCalculationWindow: 5 },
    units: { velocity: 'm/s' },
  })
  expect(Number(/NumberOfLines="(\d+)"/.exec(text('streamlines.vtp'))?.[1])).toBeGreaterThan(0)
})
