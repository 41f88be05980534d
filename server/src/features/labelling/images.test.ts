import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { headersOf, makeServer, type Session, type TestServer } from '../../../test/harness.ts'
import { gatherNow, nameReader, settings } from '../../../test/labels.ts'
import { upload } from '../../../test/uploads.ts'
import { makeWorker } from '../../../test/worker.ts'
import { prepareImage } from './images.ts'
import { labelReaders } from './tables.ts'

let server: TestServer
beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())

async function makeOne(who: Session, name: string, bytes: Buffer) {
  const folderId = (await upload(server, who, { files: [{ path: `Large/${name}`, bytes }] })) ?? ''
  const { data: set } = await server.call('labelling/create', { ...settings, folderId }, who)
  await gatherNow(server, set.id)
  const { data } = await server.call('labelling/items', { id: set.id }, who)
  return { setId: set.id, itemId: data.items[0]?.id ?? '' }
}

const open = async (itemId: string, who: Session) => {
  const { data, code, message } = await server.call('labelling/open', { itemId }, who)
  expect(code, message).toBe(10200)
  return data
}

async function prepare(itemId: string, who: Session): Promise<void> {
  const worker = makeWorker(server)
  await prepareImage(worker, { itemId, userId: who.userId })
  worker.engine.close()
}

const fetchTile = (url: string, level: number, x: number, y: number, who: Session) =>
  fetch(
    server.url + url.replace('{level}', String(level)).replace('{x}', String(x)).replace('{y}', String(y)),
    { headers: headersOf(who) },
  )

it('a large picture is drawn in tiles, by whoever may read the set and for as long', async () => {
  const [me, reader] = [await server.signUp(), await server.signUp()]
  const bytes = await sharp({ create: { width: 5000, height: 3000, channels: 3, background: '#336699' } })
    .png()
    .toBuffer()
  const { setId, itemId } = await makeOne(me, 'slide.png', bytes)
  expect((await open(itemId, me)).image.state).toBe('preparing')
  await prepare(itemId, me)
  await nameReader(server, { setId, reader, permission: 'read' })
  const { image, item, reading } = await open(itemId, reader)
  expect(image).toMatchObject({ state: 'ready', url: null, tiles: { side: 512, levels: 5 } })
  expect([item.size, reading?.state]).toEqual([[5000, 3000, 1], 'open'])
  const url = image.tiles?.url ?? ''
  const sizeOf = async (level: number, x: number, y: number) => {
    const response = await fetchTile(url, level, x, y, reader)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('image/png')
    const { width, height } = await sharp(Buffer.from(await response.arrayBuffer())).metadata()
    return [width, height]
  }
  expect(await sizeOf(0, 0, 0)).toEqual([512, 512])
  expect(await sizeOf(0, 9, 5)).toEqual([5000 - 9 * 512, 3000 - 5 * 512])
  expect(await sizeOf(4, 0, 0)).toEqual([313, 188])
  for (const [level, x, y] of [
    [0, 10, 0],
    [5, 0, 0],
    [0, -1, 0],
    [0.5, 0, 0],
  ] as const)
    expect((await fetchTile(url, level, x, y, reader)).status).toBe(404)
  const aside = url.replace('{level}', '..%2F..%2F..').replace('{x}', '0').replace('{y}', '0')
  expect((await fetch(server.url + aside)).status).toBe(404)
  await server.ctx.db.delete(labelReaders)
  expect((await fetchTile(url, 0, 0, 0, reader)).status).toBe(404)
})

it('a picture beyond what is read at once is drawn, too, and labelled', async () => {
  const me = await server.signUp()
  const bytes = await sharp({ create: { width: 9000, height: 7500, channels: 3, background: '#202020' } })
    .toColourspace('b-w')
    .png()
    .toBuffer()
  const { itemId } = await makeOne(me, 'radiograph.png', bytes)
  expect((await open(itemId, me)).image.state).toBe('preparing')
  await prepare(itemId, me)
  const { image, item } = await open(itemId, me)
  expect(image).toMatchObject({ state: 'ready', reason: null, facts: { channels: 1 }, tiles: { levels: 6 } })
  expect(item.size).toEqual([9000, 7500, 1])
})

it('what cannot be read is refused with its reason, and no reading begins', async () => {
  const me = await server.signUp()
  const whole = await sharp({ create: { width: 600, height: 600, channels: 3, background: '#336699' } })
    .png()
    .toBuffer()
  const { itemId } = await makeOne(me, 'cut.png', whole.subarray(0, whole.length - 200))
  const { image, reading } = await open(itemId, me)
  expect([image.state, image.reason?.name, reading]).toEqual(['refused', 'data_damaged', null])
})
