import type { TextPicture, TextScan } from '@neuroloom/contract/burned-in'
import { burnedIn as limits } from '@neuroloom/contract/limits'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { drawDicom } from '../../../../test/dicom.ts'
import { makeServer, type Session, type TestServer } from '../../../../test/harness.ts'
import { writtenPixels } from '../../../../test/letters.ts'
import { unzip } from '../../../../test/unzip.ts'
import { upload } from '../../../../test/uploads.ts'
import { openDicom } from '../../../infra/reader/dicom/file.ts'
import { missingPackages } from '../../../infra/tesseract.ts'
import { eraseOf } from '../erase.ts'
import { textJobs } from '../service.ts'
import { claim, recover } from './lease.ts'
import { work } from './work.ts'

const isReadable = (await missingPackages()).length === 0
if (!isReadable)
  process.stdout.write('Tesseract is not there: searches for burned-in texts are not tested.\n')

let server: TestServer
beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())

const size: [number, number] = [400, 300]
const texts = [{ text: 'KINAHA Wijerice', x: 20, y: 12 }]

async function pictures(): Promise<Record<string, Buffer>> {
  const raw = { raw: { width: size[0], height: size[1], channels: 3 as const } }
  const written = await writtenPixels(size, texts)
  const plain = await writtenPixels(size, [])
  return {
    'named.png': await sharp(written, raw)
      .png()
      .withExif({ IFD0: { Artist: 'KINAHA' } })
      .toBuffer(),
    'plain.jpg': await sharp(plain, raw).jpeg({ quality: 90 }).toBuffer(),
    'named.dcm': drawDicom({
      size,
      isColour: true,
      isPlaced: false,
      frames: 2,
      at: (x, y) => written[(y * size[0] + x) * 3] ?? 0,
    }),
  }
}

async function put(session: Session, files: Record<string, Buffer>): Promise<Map<string, string>> {
  const list = Object.entries(files).map(([path, bytes]) => ({ path, bytes }))
  await upload(server, session, { parentId: null, files: list })
  return entries(session, null)
}

async function entries(session: Session, folderId: string | null): Promise<Map<string, string>> {
  const { data } = await server.call('files/list', { folderId }, session)
  return new Map(data.entries.map(({ name, id }) => [name, id]))
}

async function seek(session: Session, ids: string[]): Promise<string> {
  const { data, message, code } = await server.call('files/seekTexts', { ids }, session)
  if (code !== 10200) throw new Error(message)
  await work(server.ctx, data.id)
  return data.id
}

async function look(
  session: Session,
  id: string,
): Promise<{ scan: TextScan; pictures: Map<string, TextPicture> }> {
  const { data } = await server.call('files/textPictures', { id }, session)
  return { scan: data.scan, pictures: new Map(data.pictures.map((one) => [one.sourceName, one])) }
}

async function bytesOf(session: Session, id: string): Promise<Buffer> {
  const { data } = await server.call('files/open', { id }, session)
  return Buffer.from(await (await fetch(server.url + data.url)).arrayBuffer())
}

describe.skipIf(!isReadable)('burned-in texts', () => {
  it('are found, read, confirmed, and gone from copies, whose originals stay', async () => {
    const me = await server.signUp()
    const ids = await put(me, await pictures())
    const before = await bytesOf(me, ids.get('named.png') ?? '')
    const id = await seek(me, [...ids.values()])
    const found = await look(me, id)
    expect(found.scan).toMatchObject({ step: 'seek', state: 'done', through: 3, total: 3, confirmed: 0 })
    expect(found.pictures.get('plain.jpg')?.regions).toEqual([])
    const named = found.pictures.get('named.png')
    expect(named?.regions).toHaveLength(1)
    expect(named?.regions[0]?.text).toContain('KINAHA')
    expect(found.pictures.get('named.dcm')?.size).toEqual({ width: 400, height: 300, frames: 2 })
    expect(found.pictures.get('named.dcm')?.regions[0]).toMatchObject({ first: 0, last: 1 })

    const shown = await fetch(`${server.url}${named?.shown}&frame=0`)
    expect(shown.headers.get('content-type')).toBe('image/webp')

    const told = await textJobs(server.ctx, { id: me.userId }, [id, 'another'])
    expect(told).toMatchObject([{ id, kind: 'texts', state: 'done', progress: 100, reason: null }])

    const early = await server.call('files/blackTexts', { id }, me)
    expect(early.message).toContain('3 images are not confirmed')
    await server.call('files/confirmAllTexts', { id }, me)
    const begun = await server.call('files/blackTexts', { id }, me)
    expect(begun.data).toMatchObject({ step: 'copy', state: 'waiting' })
    await work(server.ctx, id)

    const done = await look(me, id)
    expect(done.scan).toMatchObject({ step: 'copy', state: 'done', failedPictures: 0 })
    for (const picture of done.pictures.values()) expect(picture.copy).toMatchObject({ left: 0 })
    const copies = await entries(me, done.scan.folderId)
    expect([...copies.keys()].sort()).toEqual(['named.dcm', 'named.png', 'plain.jpg'])
    expect(await bytesOf(me, ids.get('named.png') ?? '')).toEqual(before)

    const png = await bytesOf(me, copies.get('named.png') ?? '')
    expect((await sharp(png).metadata()).exif).toBeUndefined()
    const { x = 0, y = 0, w = 1, h = 1 } = named?.regions[0] ?? {}
    const area = await sharp(png).extract({ left: x, top: y, width: w, height: h }).raw().toBuffer()
    expect(Math.max(...area)).toBe(0)
    const copy = openDicom(await bytesOf(me, copies.get('named.dcm') ?? ''), { limitBytes: 1e8 })
    expect(copy.text('00280301')).toBe('NO')
    expect(copy.text('00120063')).toContain('blacked out')
    expect(copy.text('00080018')).toMatch(/^2\.25\./)

    const again = await seek(me, [...copies.values()])
    for (const { regions } of (await look(me, again)).pictures.values()) expect(regions).toEqual([])
  })

  it('are the places that a person says, within the picture', async () => {
    const me = await server.signUp()
    const ids = await put(me, { 'plain.jpg': (await pictures())['plain.jpg'] ?? Buffer.alloc(0) })
    const id = await seek(me, [...ids.values()])
    const drawn = {
      x: 390,
      y: 100.4,
      w: 50,
      h: 20,
      first: 0,
      last: 5,
      text: '',
      sureness: 100,
      isDrawn: true,
    }
    const body = { id, position: 0, regions: [drawn], isConfirmed: true }
    const { data } = await server.call('files/confirmTexts', body, me)
    expect(data.confirmed).toBe(1)
    const { pictures: kept } = await look(me, id)
    expect(kept.get('plain.jpg')?.regions).toEqual([{ ...drawn, y: 100, w: 10, h: 21, last: 0 }])
    const refused = await server.call('files/confirmTexts', { ...body, regions: [{ ...drawn, w: -1 }] }, me)
    expect(refused.code).not.toBe(10200)
  })

  it('are nobody else’s, and erased with the search and the account', async () => {
    const me = await server.signUp()
    const other = await server.signUp()
    const ids = await put(me, { 'named.png': (await pictures())['named.png'] ?? Buffer.alloc(0) })
    const id = await seek(me, [...ids.values()])
    expect((await server.call('files/textPictures', { id }, other)).code).toBe(20201)
    expect((await server.call('files/textScans', {}, other)).data.scans).toEqual([])
    expect((await server.call('files/forgetTexts', { id }, other)).code).toBe(20201)
    const { url } = (await server.call('user/export', {}, me)).data
    const archive = await unzip(Buffer.from(await (await fetch(server.url + url)).arrayBuffer()))
    expect(archive.get('burned-in-texts.json')?.bytes.toString()).toContain('KINAHA')
    await server.call('files/forgetTexts', { id }, me)
    const kept = () => server.ctx.pool.query('select * from text_pictures where scan_id = $1', [id])
    expect((await kept()).rows).toEqual([])
    await seek(me, [...ids.values()])
    await eraseOf(server.ctx, me.userId)
    expect(
      (await server.ctx.pool.query('select * from text_scans where owner_id = $1', [me.userId])).rows,
    ).toEqual([])
  })

  it('are looked for by somebody else when a worker died, and not after the search was given up', async () => {
    const me = await server.signUp()
    const ids = await put(me, { 'named.png': (await pictures())['named.png'] ?? Buffer.alloc(0) })
    const { data } = await server.call('files/seekTexts', { ids: [...ids.values()] }, me)
    await claim(server.ctx, data.id)
    await work(server.ctx, data.id)
    expect((await look(me, data.id)).scan.state).toBe('running')
    await server.ctx.pool.query(
      `update text_scans set lease_until = now() - interval '1 minute' where id = $1`,
      [data.id],
    )
    await recover(server.ctx)
    await work(server.ctx, data.id)
    expect((await look(me, data.id)).scan.state).toBe('done')
    expect((await server.call('files/cancelTexts', { id: data.id }, me)).code).toBe(20282)
  })

  it('are not copied of a file that became another one', async () => {
    const me = await server.signUp()
    const ids = await put(me, { 'named.png': (await pictures())['named.png'] ?? Buffer.alloc(0) })
    const id = await seek(me, [...ids.values()])
    await server.call('files/confirmAllTexts', { id }, me)
    await server.ctx.pool.query(
      `update text_pictures set source_sha256 = repeat('0', 64) where scan_id = $1`,
      [id],
    )
    await server.call('files/blackTexts', { id }, me)
    await work(server.ctx, id)
    const { scan, pictures: kept } = await look(me, id)
    expect(scan).toMatchObject({ state: 'failed', folderId: null })
    expect(kept.get('named.png')?.reason?.name).toBe('source_gone')
  })

  it('wait for their turn', async () => {
    const me = await server.signUp()
    const ids = [
      ...(await put(me, { 'named.png': (await pictures())['named.png'] ?? Buffer.alloc(0) })).values(),
    ]
    for (let count = 0; count < limits.waiting; count += 1) await server.call('files/seekTexts', { ids }, me)
    expect((await server.call('files/seekTexts', { ids }, me)).code).toBe(20281)
    expect((await server.call('files/seekTexts', { ids }, null)).code).not.toBe(10200)
  })
})
