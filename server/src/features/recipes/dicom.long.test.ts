/** DICOM of many makers is prepared. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Recipe, Step } from '@neuroloom/contract/recipes/recipe'
import type { Preparation, Work } from '@neuroloom/contract/recipes/recipes'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../test/harness.ts'
import { upload } from '../../../test/uploads.ts'
import { makeWorker } from '../../../test/worker.ts'
import type { WorkerContext } from '../../infra/context.ts'
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

const shared = join(
  process.env.SHARED_DATA ?? join(import.meta.dirname, '../../../../../shared/data'),
  'formats',
)
const by = (...steps: Step[]): Recipe => ({ v: 1, steps })

async function folder(me: Session, files: Record<string, Buffer>): Promise<string> {
  const list = Object.entries(files).map(([path, bytes]) => ({ path: `set/${path}`, bytes }))
  await upload(server, me, { parentId: null, files: list })
  return (await entries(me, null)).get('set') ?? ''
}

async function entries(me: Session, folderId: string | null): Promise<Map<string, string>> {
  const { data } = await server.call('files/list', { folderId }, me)
  return new Map(data.entries.map(({ name, id }) => [name, id]))
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

it.skipIf(!existsSync(shared))('takes DICOM of many makers, each packed in its own way', async () => {
  const me = await server.signUp()
  const read = (name: string) => readFileSync(join(shared, name))
  const dicom = readdirSync(join(shared, 'dicom')).filter((name) => name.endsWith('.dcm'))
  const series = readdirSync(join(shared, 'dicom-series-hippocampus'))
  const folderId = await folder(me, {
    ...Object.fromEntries(dicom.map((name) => [`single/${name}`, read(`dicom/${name}`)])),
    ...Object.fromEntries(series.map((name) => [`series/${name}`, read(`dicom-series-hippocampus/${name}`)])),
  })
  const size: Step = { do: 'size', how: 'filled', width: 64, height: 64 }
  const pictures = await run(me, { folderId, recipe: by(size) })
  const told = Object.fromEntries(pictures.failures.map(({ name, reason }) => [name, reason?.name]))
  expect(told).toEqual({
    'single/float-pixel-data_parametric-map.dcm': 'dicom_no_picture',
    'single/multiframe_2_rle_rgb.png': 'dicom_frames',
    'single/multiframe_30_us_jpeg-baseline_ybr.png': 'dicom_frames',
    'single/no-pixels_rtplan.dcm': 'dicom_no_picture',
    'single/no-pixels_rtstruct.dcm': 'dicom_no_picture',
    'single/no-pixels_structured-report.dcm': 'dicom_no_picture',
    'single/segmentation-object_1bit.dcm': 'dicom_no_picture',
    'single/rtdose_32bit_multiframe.dcm': 'dicom_no_picture',
    'single/siemens-csa-header.png': 'dicom_no_picture',
  })
  const folders = await entries(me, pictures.resultId)
  expect((await entries(me, folders.get('series') ?? '')).size).toBe(series.length)
  const volumes = await run(me, { folderId, dicom: 'volumes', recipe: by(size) })
  expect([...(await entries(me, volumes.resultId)).keys()]).toContain('series.nii.gz')
})
