/** DICOM through recipes: values in their own units, nothing of the patient, and a reason for what cannot be. */
import { execFileSync } from 'node:child_process'
import { gunzipSync } from 'node:zlib'
import type { Recipe, Step } from '@neuroloom/contract/recipes/recipe'
import type { Preparation, Work } from '@neuroloom/contract/recipes/recipes'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { drawDicom, drawReport } from '../../../test/dicom.ts'
import { makeServer, type Session, type TestServer } from '../../../test/harness.ts'
import { upload } from '../../../test/uploads.ts'
import { makeWorker } from '../../../test/worker.ts'
import type { WorkerContext } from '../../infra/context.ts'
import { recipeOf } from './service.ts'
import { work } from './work.ts'

const python = process.env.ENGINE_PYTHON ?? '/usr/bin/python3'
let server: TestServer
let worker: WorkerContext
beforeAll(async () => {
  server = await makeServer({ enginePython: python })
  worker = makeWorker(server)
})
afterAll(async () => {
  worker.engine.close()
  await server.close()
})
const lung: Step = { do: 'window', centre: -600, width: 1500 }
const by = (...steps: Step[]): Recipe => ({ v: 1, steps })
/** Air on the left, water on the right, as a scanner stores them. */
const air = { at: (x: number) => (x < 16 ? 24 : 1024), intercept: -1024, patientName: 'Doe^Jane' }

async function folder(me: Session, files: Record<string, Buffer>): Promise<string> {
  const list = Object.entries(files).map(([path, bytes]) => ({ path: `set/${path}`, bytes }))
  await upload(server, me, { parentId: null, files: list })
  return (await entries(me, null)).get('set') ?? ''
}

async function entries(me: Session, folderId: string | null): Promise<Map<string, string>> {
  const { data } = await server.call('files/list', { folderId }, me)
  return new Map(data.entries.map(({ name, id }) => [name, id]))
}

async function bytesOf(me: Session, id: string | undefined): Promise<Buffer> {
  const { data } = await server.call('files/open', { id: id ?? '', download: true }, me)
  return Buffer.from(await (await fetch(server.url + data.url)).arrayBuffer())
}

type Asked = Pick<Extract<Work, { kind: 'recipe' }>, 'folderId' | 'recipe'> & {
  dicom?: 'pictures' | 'volumes'
  maskIds?: string[]
}

async function run(me: Session, { dicom = 'pictures', maskIds = [], ...asked }: Asked): Promise<Preparation> {
  const whole = { kind: 'recipe' as const, below: true, dicom, maskIds, ...asked }
  const { data } = await server.call('recipes/start', { work: whole, name: 'result' }, me)
  await work(worker, data.id)
  const { data: listed } = await server.call('recipes/works', { ids: [data.id] }, me)
  const [found] = listed.works
  if (!found) throw new Error('The work is not listed')
  return found
}

/** Grey values at the left and the right edge. */
async function edges(png: Buffer): Promise<number[]> {
  const { data, info } = await sharp(png).raw().toBuffer({ resolveWithObject: true })
  return [data[0] ?? -1, data[(info.width - 1) * info.channels] ?? -1]
}

it('windows in Hounsfield units, keeps values that no window changes, and writes no names', async () => {
  const me = await server.signUp()
  const folderId = await folder(me, {
    'ct/1.dcm': drawDicom(air),
    'ct/IM0002': drawDicom({ ...air, number: 1 }),
    'ct/3.dcm': drawDicom({ ...air, number: 2, photometric: 'MONOCHROME1' }),
    'ct/colour.dcm': drawDicom({ isColour: true }),
    'ct/cine.dcm': drawDicom({ ...air, frames: 3, isPlaced: false }),
    'ct/report.dcm': drawReport(),
    'ct/broken.dcm': Buffer.from('no DICOM at all'),
    notes: Buffer.from('no DICOM either'),
    'masks/1.png': await sharp({ create: { width: 32, height: 32, channels: 3, background: '#000' } })
      .toColourspace('b-w')
      .png()
      .toBuffer(),
  })
  const masks = (await entries(me, folderId)).get('masks') ?? ''
  const asked = { folderId, maskIds: [masks] }
  const { data: tried } = await server.call('recipes/try', { ...asked, recipe: by(lung) }, me)
  expect(tried.counts).toEqual({ images: 7, masks: 1, labels: 0, others: 1, dicom: 7 })
  expect(tried.failing.map(({ reason, count, names }) => [reason.name, count, names])).toEqual([
    ['dicom_unreadable', 1, ['ct/broken.dcm']],
    ['dicom_no_picture', 1, ['ct/report.dcm']],
  ])
  expect(tried.samples.map(({ reason }) => reason)).toEqual(tried.samples.map(() => null))
  expect(tried.usual).toEqual({ width: 32, height: 32, isVolume: false })

  const windowed = await run(me, { ...asked, recipe: by(lung) })
  expect(windowed).toMatchObject({ state: 'failed', total: 8, failed: 2, made: 8 })
  const made = await entries(me, (await entries(me, windowed.resultId)).get('ct') ?? '')
  expect([...made.keys()].sort()).toEqual(
    ['1.png', '3.png', 'IM0002.png', 'cine_001.png', 'cine_002.png', 'cine_003.png', 'colour.png'].sort(),
  )
  // −1000 and 0 HU in a window from −1350 to 150.
  expect(await edges(await bytesOf(me, made.get('1.png')))).toEqual([59, 230])
  expect(await edges(await bytesOf(me, made.get('IM0002.png')))).toEqual([59, 230])
  for (const id of made.values()) expect((await bytesOf(me, id)).toString('latin1')).not.toContain('Doe')

  // What is trained on it knows that its values were those of DICOM.
  expect(await recipeOf(server.ctx.db, windowed.resultId ?? '')).toMatchObject({ isOfDicom: true })

  const kept = await run(me, { folderId, recipe: by({ do: 'flip', axis: 'horizontal' }) })
  const plain = await entries(me, (await entries(me, kept.resultId)).get('ct') ?? '')
  const tiff = await bytesOf(me, plain.get('1.tif'))
  // Sharp would make its numbers those of a screen.
  const look = 'import io, sys; from PIL import Image; a = Image.open(io.BytesIO(sys.stdin.buffer.read()))'
  const said = execFileSync(
    python,
    ['-c', `${look}; print(a.mode, a.getpixel((0, 0)), a.getpixel((31, 0)))`],
    {
      input: tiff,
      encoding: 'utf8',
    },
  )
  expect(said.trim()).toBe('F 0.0 -1000.0')
})

it('makes volumes of series, in their place, and says of which it cannot', async () => {
  const me = await server.signUp()
  const slices = (name: string, gap: number) =>
    Object.fromEntries(
      [0, 1, 2, 3].map((number) => [
        `${name}/${number}.dcm`,
        drawDicom({ ...air, number, z: number === 3 ? 3 + gap : number, series: `2.25.${gap + 8}` }),
      ]),
    )
  const folderId = await folder(me, {
    ...slices('whole', 0),
    ...slices('gap', 2),
    ...Object.fromEntries(
      [0, 1].map((number) => [
        `two/${number}.dcm`,
        drawDicom({ ...air, number, series: '2.25.30', patientId: `patient ${number}` }),
      ]),
    ),
  })
  const done = await run(me, { folderId, dicom: 'volumes', recipe: by({ do: 'flip', axis: 'horizontal' }) })
  expect(done).toMatchObject({ total: 3, failed: 2, made: 1 })
  expect(done.failures.map(({ name, reason }) => [name, reason?.name])).toEqual(
    expect.arrayContaining([
      ['gap.nii.gz', 'dicom_slice_missing'],
      ['two', 'dicom_two_patients'],
    ]),
  )
  const result = await entries(me, done.resultId)
  expect([...result.keys()]).toEqual(['whole.nii.gz'])
  const nifti = gunzipSync(await bytesOf(me, result.get('whole.nii.gz')))
  expect([1, 2, 3].map((axis) => nifti.readInt16LE(40 + 2 * axis))).toEqual([32, 32, 4])
  expect(nifti.toString('latin1')).not.toContain('Doe')
  // The left edge holds water now, and its place went along.
  expect(nifti.readInt16LE(352) * nifti.readFloatLE(112) + nifti.readFloatLE(116)).toBe(0)
  expect(nifti.readFloatLE(280)).toBeGreaterThan(0)
})
