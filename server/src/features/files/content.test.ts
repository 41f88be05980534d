import { files as limits } from '@neuroloom/contract/limits'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../test/harness.ts'
import { dicomSlice, niftiVolume } from '../../../test/images.ts'
import { upload } from '../../../test/uploads.ts'
import { makeWorker } from '../../../test/worker.ts'
import { drawCell } from '../../demo/pictures.ts'
import { encodePng } from '../../demo/png.ts'
import { checkNew } from './check.ts'
import { queueForgotten } from './check-queue.ts'

let server: TestServer
beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())

async function put(name: string, bytes: Buffer, session?: Session) {
  const owner = session ?? (await server.signUp())
  await upload(server, owner, { files: [{ path: name, bytes }] })
  const { data } = await server.call('files/list', { folderId: null, search: name }, owner)
  return { owner, id: data.entries[0]?.id ?? '', entry: data.entries[0] }
}
const link = async (session: Session, id: string, download = false): Promise<string> =>
  server.url + (await server.call('files/open', { id, download }, session)).data.url

describe('content', () => {
  it('is answered whole or in ranges', async () => {
    const { owner, id } = await put('a.bin', Buffer.from('0123456789'))
    const url = await link(owner, id)
    const get = async (range?: string) => {
      const response = await fetch(url, range ? { headers: { range } } : {})
      return [response.status, response.headers.get('content-range'), await response.text()]
    }
    expect(await get()).toEqual([200, null, '0123456789'])
    expect(await get('bytes=2-4')).toEqual([206, 'bytes 2-4/10', '234'])
    expect(await get('bytes=7-')).toEqual([206, 'bytes 7-9/10', '789'])
    expect(await get('bytes=-3')).toEqual([206, 'bytes 7-9/10', '789'])
    expect(await get('bytes=10-')).toEqual([416, 'bytes */10', ''])
  })

  it('is never anything that a browser runs', async () => {
    const script = Buffer.from('<script>alert(1)</script>')
    for (const name of ['page.html', 'drawing.svg', 'code.js']) {
      const { owner, id } = await put(name, script)
      const { headers } = await fetch(await link(owner, id))
      expect(headers.get('content-type')).toBe('application/octet-stream')
      expect(headers.get('content-disposition')).toMatch(/^attachment/)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('content-security-policy')).toContain('sandbox')
    }
  })

  it('is shown in place for pictures only, and downloaded under its own name', async () => {
    const { owner, id } = await put('肺 "1".png', Buffer.from('not even a picture'))
    const shown = await fetch(await link(owner, id))
    expect(shown.headers.get('content-type')).toBe('image/png')
    expect(shown.headers.get('content-disposition')).toMatch(/^inline/)
    const saved = await fetch(await link(owner, id, true))
    expect(saved.headers.get('content-disposition')).toBe(
      `attachment; filename="_ _1_.png"; filename*=UTF-8''%E8%82%BA%20%221%22.png`,
    )
  })

  it('is refused by altered, old and foreign links and after the file is removed', async () => {
    const { owner, id } = await put('a.bin', Buffer.from('x'))
    const url = await link(owner, id)
    expect((await fetch(url.replace(id, 'AAAAAAAAAAAAAAAA'))).status).toBe(403)
    expect((await fetch(url.replace('/content?', '/thumbnail?'))).status).toBe(403)
    await server.call('files/remove', { ids: [id] }, owner)
    const removed = await fetch(url)
    expect(removed.status).toBe(404)
    expect(await removed.json()).toMatchObject({ data: { error: 'missing' } })
    await server.call('files/restore', { ids: [id] }, owner)
    expect((await fetch(url)).status).toBe(200)
    server.forward(2 * limits.linkMs)
    expect((await fetch(url)).status).toBe(403)
  })

  it('is refused once the session that asked for the link has ended', async () => {
    const { owner, id } = await put('a.bin', Buffer.from('x'))
    const url = await link(owner, id)
    await server.call('user/logout', {}, owner)
    expect((await fetch(url)).status).toBe(403)
  })
})

describe('thumbnails', () => {
  it('are asked for after an upload, and by the sweep when that was forgotten', async () => {
    const session = await server.signUp()
    await put('cell.png', encodePng(drawCell('round', 7)), session)
    const waiting = async (): Promise<number> => {
      const { rows } = await server.ctx.pool.query(
        `select 1 from pgboss.job where name = 'files.check' and singleton_key = $1`,
        [session.userId],
      )
      return rows.length
    }
    await expect.poll(waiting, { timeout: 60_000 }).toBe(1)
    await server.ctx.pool.query(`delete from pgboss.job where name = 'files.check'`)
    await queueForgotten(server.ctx)
    expect(await waiting()).toBe(1)
  })

  it('are made of pictures, by what they are and not by their names', async () => {
    const session = await server.signUp()
    const { entry } = await put('cell.png', encodePng(drawCell('round', 1)), session)
    await put('text.png', Buffer.from('only text'), session)
    expect(entry?.thumbnail).toBeNull()
    await checkNew(makeWorker(server), session.userId)
    const { data } = await server.call('files/list', { folderId: null }, session)
    const [cell, text] = data.entries
    expect(text?.thumbnail).toBeNull()
    const response = await fetch(server.url + cell?.thumbnail)
    expect(response.headers.get('content-type')).toBe('image/webp')
    expect(
      Buffer.from(await response.arrayBuffer())
        .subarray(8, 12)
        .toString(),
    ).toBe('WEBP')
  })

  it('are made of volumes and DICOM, with or without an ending; broken ones and texts have none', async () => {
    const session = await server.signUp()
    const volume = niftiVolume({ size: [12, 8, 5], spacing: [1, 2, 3] })
    await put('a.nii.gz', volume, session)
    await put('b.dcm', dicomSlice(), session)
    await put('c', dicomSlice({ number: 3 }), session)
    await put('d.nii.gz', volume.subarray(0, 300), session)
    await put('e', Buffer.from('only words'), session)
    await checkNew(makeWorker(server), session.userId)
    const { data } = await server.call('files/list', { folderId: null }, session)
    const sizes: unknown[] = []
    for (const { thumbnail } of data.entries) {
      const picture = thumbnail === null ? null : await (await fetch(server.url + thumbnail)).arrayBuffer()
      const { width = 0, height = 0 } = picture ? await sharp(picture).metadata() : {}
      sizes.push(picture && [width, height])
    }
    expect(sizes).toEqual([[12, 16], [4, 3], [4, 3], null, null])
    // Nobody looks again.
    const { rows } = await server.ctx.pool.query(
      'select 1 from files join blobs using (sha256) where owner_id = $1 and checked_at is null',
      [session.userId],
    )
    expect(rows).toEqual([])
  })
})
