import { gunzipSync } from 'node:zlib'
import { recipes as limits } from '@neuroloom/contract/limits'
import type { Algebra } from '@neuroloom/contract/recipes/algebra'
import type { Preparation } from '@neuroloom/contract/recipes/recipes'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../../test/harness.ts'
import { niftiVolume } from '../../../../test/images.ts'
import { entriesOf, makeFolders, mask } from '../../../../test/mask-folders.ts'
import { makeWorker } from '../../../../test/worker.ts'
import type { WorkerContext } from '../../../infra/context.ts'
import { claim, recover } from '../lease.ts'
import { work } from '../work.ts'

let server: TestServer
let worker: WorkerContext
beforeAll(async () => {
  server = await makeServer({ enginePython: process.env.ENGINE_PYTHON ?? '/usr/bin/python3' })
  worker = makeWorker(server)
})
afterAll(async () => {
  worker.engine.close()
  await server.close()
})

async function bytesOf(me: Session, id: string | undefined): Promise<Buffer> {
  const { data } = await server.call('files/open', { id: id ?? '', download: true }, me)
  return Buffer.from(await (await fetch(server.url + data.url)).arrayBuffer())
}

/** The first row of a picture. */
async function rowOf(png: Buffer): Promise<number[]> {
  const { data, info } = await sharp(png).raw().toBuffer({ resolveWithObject: true })
  return Array.from({ length: info.width }, (_, at) => data[at * info.channels] ?? 0)
}

const asked = (folderIds: string[], more: Partial<Algebra> = {}): Algebra => ({
  ...{ folderIds, join: 'union', classes: 'each', steps: [] },
  ...more,
})

async function start(me: Session, algebra: Algebra): Promise<string> {
  const { data, code, message } = await server.call(
    'recipes/start',
    { work: { kind: 'algebra', ...algebra }, name: 'joined' },
    me,
  )
  if (code !== 10200) throw new Error(message)
  return data.id
}

async function find(me: Session, id: string): Promise<Preparation> {
  const { data } = await server.call('recipes/works', { ids: [id] }, me)
  const [found] = data.works
  if (!found) throw new Error('The work is not listed')
  return found
}

async function run(me: Session, algebra: Algebra): Promise<Preparation> {
  const id = await start(me, algebra)
  await work(worker, id)
  return find(me, id)
}

async function readers(me: Session): Promise<string[]> {
  const found = await makeFolders(server, me, {
    'А. Иванова/case 1.png': await mask(2),
    'А. Иванова/病例 2.png': await mask(4),
    'А. Иванова/only here.png': await mask(0),
    'А. Иванова/wide.png': await mask(0),
    'reader B/Case 1_mask.png': await mask(4),
    'reader B/病例 2.png': await mask(4),
    'reader B/wide.png': await mask(0, 255, 21),
    'reader B/notes.txt': Buffer.from('no mask'),
    'network/case 1.png': await mask(6, 1),
    'network/病例 2.png': await mask(4, 1),
    'network/wide.png': await mask(0),
    'network/more.png': await mask(0),
  })
  return ['А. Иванова', 'reader B', 'network'].map((name) => found.get(name) ?? '')
}

describe('masks of several folders', () => {
  it('are matched by name, looked at and joined; what does not match or fit is named', async () => {
    const me = await server.signUp()
    const ids = await readers(me)
    const { data: seen } = await server.call('recipes/tryAlgebra', asked(ids, { classes: 'any' }), me)
    expect(seen.folders.map(({ name, masks }) => [name, masks])).toEqual([
      ['А. Иванова', 4],
      ['reader B', 3],
      ['network', 4],
    ])
    expect(seen.total).toBe(3)
    expect(seen.loose).toMatchObject({ count: 1, some: [{ by: 'mark' }] })
    expect(seen.alone).toEqual({
      count: 2,
      some: [
        { path: 'only here.png', folder: 0, missing: [1, 2] },
        { path: 'more.png', folder: 2, missing: [0] },
      ],
    })
    expect(seen.samples).toHaveLength(3)
    const [first] = seen.samples
    expect(first).toMatchObject({ values: [1, 255], hasSpacing: false, reason: null })
    expect(first?.before.map((one) => one?.image.slice(0, 15))).toEqual(Array(3).fill('data:image/webp'))
    const wide = seen.samples.find(({ paths }) => paths[0] === 'wide.png')
    expect(wide).toMatchObject({
      after: null,
      reason: { name: 'sizes_differ', params: { file: 'wide.png' } },
    })

    const done = await run(me, asked(ids, { join: 'majority', classes: 'any' }))
    expect(done).toMatchObject({ state: 'failed', total: 5, failed: 3, made: 2, resultName: 'joined' })
    expect(done.work).toMatchObject({ kind: 'algebra', names: ['А. Иванова', 'reader B', 'network'] })
    expect(done.failures.map(({ name, reason }) => [name, reason?.name])).toEqual([
      ['wide.png', 'sizes_differ'],
      ['only here.png', 'unmatched'],
      ['network/more.png', 'unmatched'],
    ])
    const made = await entriesOf(server, me, done.resultId)
    expect([...made.keys()].sort()).toEqual(['case 1.png', '病例 2.png'])
    const row = await rowOf(await bytesOf(me, made.get('case 1.png')))
    expect(row).toEqual(Array.from({ length: 20 }, (_, at) => Number(at >= 4 && at < 12)))
    // What there was is as it was.
    expect((await entriesOf(server, me, ids[0] ?? '')).size).toBe(4)
    const { data: jobs } = await server.call('toolbox/status', { ids: [done.id] }, me)
    expect(jobs.jobs).toMatchObject([{ state: 'failed', reason: { name: 'some_failed' } }])
  })

  it('tells by STAPLE how good each reader is, and of how many pixels', async () => {
    const me = await server.signUp()
    const files: Record<string, Buffer> = {}
    for (const name of ['1', '2', '3']) {
      files[`a/${name}.png`] = await mask(4)
      files[`b/${name}.png`] = await mask(4)
      files[`c/${name}.png`] = await mask(6)
    }
    const found = await makeFolders(server, me, files)
    const ids = ['a', 'b', 'c'].map((name) => found.get(name) ?? '')
    const { data: seen } = await server.call('recipes/tryAlgebra', asked(ids, { join: 'staple' }), me)
    const done = await run(me, asked(ids, { join: 'staple' }))
    for (const told of [seen.readers, done.readers ?? []]) {
      expect(told.map(({ number, value, masks }) => [number, value, masks])).toEqual([
        [0, 255, 3],
        [1, 255, 3],
        [2, 255, 3],
      ])
      expect(told[0]?.sensitivity).toBeGreaterThan(0.99)
      expect(told[2]?.sensitivity).toBeCloseTo(0.75, 1)
      expect(told[0]?.positive).toBeCloseTo(240, -1)
    }
    expect(done).toMatchObject({ state: 'done', made: 3 })
  })

  it('of volumes keep every voxel and where it lies; another grid is refused by name', async () => {
    const me = await server.signUp()
    const size: [number, number, number] = [6, 5, 4]
    const spacing: [number, number, number] = [0.5, 0.75, 2]
    const left = niftiVolume({ size, spacing, at: (x) => (x < 4 ? 1 : 0) })
    const right = niftiVolume({ size, spacing, at: (x) => (x > 1 ? 1 : 0) })
    const found = await makeFolders(server, me, {
      'a/liver.nii.gz': left,
      'b/liver.nii.gz': right,
      'a/far.nii.gz': left,
      'b/far.nii.gz': niftiVolume({ size, spacing: [0.5, 0.75, 3], at: () => 1 }),
    })
    const ids = ['a', 'b'].map((name) => found.get(name) ?? '')
    const { data: seen } = await server.call('recipes/tryAlgebra', asked(ids), me)
    expect(seen).toMatchObject({
      total: 2,
      unknown: 0,
      failing: [{ reason: { name: 'grids_differ' }, count: 1 }],
    })
    const done = await run(me, asked(ids, { join: 'intersection' }))
    expect(done.failures).toMatchObject([{ name: 'far.nii.gz', reason: { name: 'grids_differ' } }])
    const made = await entriesOf(server, me, done.resultId)
    const volume = gunzipSync(await bytesOf(me, made.get('liver.nii.gz')))
    const source = left[0] === 0x1f ? gunzipSync(left) : left
    expect(placeOf(volume)).toEqual(placeOf(source))
    const voxels = Array.from({ length: 120 }, (_, at) => volume.readInt16LE(352 + 2 * at))
    expect(voxels).toEqual(Array.from({ length: 120 }, (_, at) => Number(at % 6 > 1 && at % 6 < 4)))
    const { data: told } = await server.call('recipes/measure', { folderId: done.resultId ?? '' }, me)
    expect(told.masks).toMatchObject([
      { path: 'liver.nii.gz', isVolume: true, rows: [{ value: 1, count: 40, size: 30, pieces: 1 }] },
    ])
  })

  it('go on after a worker died, and stay what they are when cancelled', async () => {
    const me = await server.signUp()
    const ids = await readers(me)
    const killed = await start(me, asked(ids.slice(0, 2)))
    await claim(server.ctx, killed)
    server.forward(2 * limits.leaseMs)
    await recover(server.ctx)
    await work(worker, killed)
    expect(await find(me, killed)).toMatchObject({ made: 2, total: 4 })
    const again = await server.call('recipes/retry', { id: killed }, me)
    expect(again.data).toMatchObject({ state: 'waiting', failed: 1 })
    const { data } = await server.call('recipes/cancel', { id: killed }, me)
    expect(data.state).toBe('cancelled')
    await work(worker, killed)
    expect(await find(me, killed)).toMatchObject({ state: 'cancelled', made: 2 })
  })
})

it('works on one folder, too: steps on masks, also in a recipe', async () => {
  const me = await server.signUp()
  const found = await makeFolders(server, me, {
    'a/1.png': await mask(4, 3),
    'a/empty.png': await mask(0, 0),
  })
  const folderId = found.get('a') ?? ''
  const steps: Algebra['steps'] = [
    { do: 'grow', how: 'grow', radius: 2, value: 0 },
    { do: 'remap', map: [{ from: 3, to: 1 }], rest: 'stay' },
  ]
  const grown = Array.from({ length: 20 }, (_, at) => Number(at >= 2 && at < 14))
  const done = await run(me, asked([folderId], { steps }))
  expect(done).toMatchObject({ state: 'done', made: 2 })
  expect(await rowOf(await bytesOf(me, (await entriesOf(server, me, done.resultId)).get('1.png')))).toEqual(
    grown,
  )
  const recipe = { v: 1 as const, steps }
  const chosen = { folderId, below: true, maskIds: [folderId], dicom: 'pictures' as const, recipe }
  const { data } = await server.call('recipes/start', { work: { kind: 'recipe', ...chosen }, name: 'b' }, me)
  await work(worker, data.id)
  const result = await entriesOf(server, me, (await find(me, data.id)).resultId)
  expect(await rowOf(await bytesOf(me, result.get('1.png')))).toEqual(grown)
})

it('shows, joins and measures nothing of somebody else, and refuses what makes no sense', async () => {
  const [me, other] = [await server.signUp(), await server.signUp()]
  const ids = await readers(me)
  const theirs = await readers(other)
  const mixed = asked([theirs[0] ?? '', ids[1] ?? ''])
  const error = async (call: Promise<{ data: { error?: string } }>) => (await call).data.error
  const begin = (algebra: Algebra, who?: Session) =>
    error(server.call('recipes/start', { work: { kind: 'algebra', ...algebra }, name: 'x' }, who))
  expect(await error(server.call('recipes/tryAlgebra', mixed, other))).toBe('missing')
  expect(await error(server.call('recipes/measure', { folderId: ids[0] ?? '' }, other))).toBe('missing')
  expect(await begin(mixed, other)).toBe('missing')
  expect(await begin(mixed)).toBe('not_signed_in')
  expect(await begin(asked([ids[0] ?? '', ids[0] ?? '']), me)).toBe('invalid')
  const empty = (await makeFolders(server, other, { 'none/a.txt': Buffer.from('x') })).get('none') ?? ''
  expect(await begin(asked([theirs[0] ?? '', empty]), other)).toBe('mask_nothing')
})

/** Sizes of voxels, scale and the matrix of a NIfTI-1 file. */
const placeOf = (file: Buffer): string =>
  [file.subarray(76, 92), file.subarray(254, 256), file.subarray(280, 328)]
    .map((part) => part.toString('hex'))
    .join(' ')
