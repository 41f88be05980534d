import type { Repair } from '@neuroloom/contract/recipes/repair'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../../test/harness.ts'
import { upload } from '../../../../test/uploads.ts'
import { makeWorker } from '../../../../test/worker.ts'
import type { WorkerContext } from '../../../infra/context.ts'
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

const size = { width: 12, height: 8 }

const picture = (): Promise<Buffer> =>
  sharp({ create: { ...size, channels: 3, background: '#808080' } })
    .png()
    .toBuffer()

/** The left half is marked, by this value. */
function mask(value: number, { width, height } = size): Promise<Buffer> {
  const pixels = Uint8Array.from({ length: width * height }, (_, at) => (at % width < width / 2 ? value : 0))
  return sharp(pixels, { raw: { width, height, channels: 1 } })
    .toColourspace('b-w')
    .png()
    .toBuffer()
}

async function study(me: Session): Promise<string> {
  const turned = await sharp(await mask(1))
    .rotate(90)
    .toColourspace('b-w')
    .png()
    .toBuffer()
  const files = {
    'images/a.png': await picture(),
    'images/b.png': await picture(),
    'images/c.png': await picture(),
    'images/alone.png': await picture(),
    'masks/a.png': await mask(1),
    'masks/B_mask.png': await mask(255),
    'masks/c.png': turned,
    'masks/other.png': Buffer.from('no picture'),
  }
  const list = Object.entries(files).map(([path, bytes]) => ({ path: `study/${path}`, bytes }))
  await upload(server, me, { files: list })
  return (await entries(me, null)).get('study') ?? ''
}

async function entries(me: Session, folderId: string | null): Promise<Map<string, string>> {
  const { data } = await server.call('files/list', { folderId }, me)
  return new Map(data.entries.map(({ name, id }) => [name, id]))
}

async function pixelsOf(me: Session, id: string | undefined) {
  const { data } = await server.call('files/open', { id: id ?? '', download: true }, me)
  const bytes = Buffer.from(await (await fetch(server.url + data.url)).arrayBuffer())
  const { data: raw, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true })
  const values = Array.from({ length: info.width * info.height }, (_, at) => raw[at * info.channels])
  return { width: info.width, height: info.height, values: [...new Set(values)].sort(), left: values[0] }
}

it('pairs, tells what both are like, shows a repair, and makes a folder in which all fits', async () => {
  const me = await server.signUp()
  const folderId = await study(me)
  const { data: found } = await server.call('recipes/examine', { folderId }, me)
  expect(found).toMatchObject({ total: 3, next: null })
  expect(found.imagesAlone.map(({ path }) => path)).toEqual(['images/alone.png'])
  expect(found.masksAlone.map(({ path }) => path)).toEqual(['masks/other.png'])
  expect(found.folders.filter(({ id }) => found.maskIds.includes(id)).map(({ path }) => path)).toEqual([
    'masks',
  ])
  expect(found.pairs.map(({ by }) => by)).toEqual(['same', 'mark', 'same'])
  const [good, bright, turned] = found.pairs
  expect(good?.maskLook?.values).toEqual([
    { value: '0', count: 48 },
    { value: '1', count: 48 },
  ])
  expect(bright?.maskLook?.values?.map(({ value }) => value)).toEqual(['0', '255'])
  expect(turned?.maskLook).toMatchObject({ width: 8, height: 12 })
  if (!good || !bright || !turned) throw new Error('no pairs')

  const back: Repair = { do: 'turn', quarters: 3, isMirrored: false }
  const toOne: Repair = { do: 'values', map: [{ from: '255', to: 1 }] }
  const ask = { imageId: turned.image.id, maskId: turned.mask.id }
  const { data: shown } = await server.call('recipes/tryRepair', { ...ask, repairs: [back] }, me)
  expect(shown?.after).toMatch(/^data:image\/webp/)
  const { data: wrong } = await server.call('recipes/tryRepair', { ...ask, repairs: [] }, me)
  expect(wrong).toMatchObject({ after: null, reason: { name: 'mask_size' } })

  const pairs = [
    { imageId: good.image.id, maskId: good.mask.id, repairs: [] },
    { imageId: bright.image.id, maskId: bright.mask.id, repairs: [toOne] },
    { imageId: turned.image.id, maskId: turned.mask.id, repairs: [back] },
  ]
  const asked = { kind: 'repair' as const, folderId, pairs }
  const { data: begun } = await server.call('recipes/start', { work: asked, name: 'study (mended)' }, me)
  await work(worker, begun.id)
  const { data: listed } = await server.call('recipes/works', { ids: [begun.id] }, me)
  const [done] = listed.works
  expect(done).toMatchObject({ state: 'done', made: 6, resultName: 'study (mended)' })
  const result = await entries(me, done?.resultId ?? null)
  expect([...(await entries(me, result.get('images') ?? '')).keys()]).toEqual(['a.png', 'b.png', 'c.png'])
  const masks = await entries(me, result.get('masks') ?? '')
  expect([...masks.keys()]).toEqual(['a.png', 'b.png', 'c.png'])
  for (const name of ['a.png', 'b.png', 'c.png'])
    expect(await pixelsOf(me, masks.get(name)), name).toEqual({ ...size, values: [0, 1], left: 1 })
  const { data: records } = await server.call('files/records', {}, me)
  expect(records.records.map(({ action }) => action)).toContain('prepare')
})

it('names what did not fit, and leaves it to a second try', async () => {
  const me = await server.signUp()
  const folderId = await study(me)
  const { data: found } = await server.call('recipes/examine', { folderId }, me)
  const pairs = found.pairs.map(({ image, mask: own }) => ({
    imageId: image.id,
    maskId: own.id,
    repairs: [],
  }))
  const cut: Repair = { do: 'turn', quarters: 2, isMirrored: false }
  const asked = {
    kind: 'repair' as const,
    folderId,
    pairs: pairs.map((pair) => ({ ...pair, repairs: [cut] })),
  }
  const { data: begun } = await server.call('recipes/start', { work: asked, name: 'turned' }, me)
  await work(worker, begun.id)
  const { data } = await server.call('recipes/works', { ids: [begun.id] }, me)
  expect(data.works).toMatchObject([
    { state: 'failed', failed: 1, failures: [{ name: 'masks/c.png', reason: { name: 'mask_size' } }] },
  ])
})

it('shows and mends nothing of somebody else, and says where there are no masks', async () => {
  const [me, other] = [await server.signUp(), await server.signUp()]
  const folderId = await study(me)
  const { data: found } = await server.call('recipes/examine', { folderId }, me)
  const [pair] = found.pairs
  const ids = { imageId: pair?.image.id ?? '', maskId: pair?.mask.id ?? '' }
  expect((await server.call('recipes/examine', { folderId }, other)).data.error).toBe('missing')
  expect((await server.call('recipes/tryRepair', { ...ids, repairs: [] }, other)).data.error).toBe('missing')
  const theirs = await study(other)
  const stolen = { kind: 'repair' as const, folderId: theirs, pairs: [{ ...ids, repairs: [] }] }
  expect((await server.call('recipes/start', { work: stolen, name: 'x' }, other)).data.error).toBe('missing')
  expect((await server.call('recipes/examine', { folderId })).data.error).toBe('not_signed_in')
  const images = (await entries(me, folderId)).get('images') ?? ''
  expect((await server.call('recipes/examine', { folderId: images }, me)).data.error).toBe('recipe_no_pairs')
})
