/** Masks in the cloud over images: which are offered, what they show, and to whom. */
import { gunzipSync } from 'node:zlib'
import type { Overlay } from '@neuroloom/contract/reading/overlays'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../../../test/harness.ts'
import { niftiVolume } from '../../../../../test/images.ts'
import { putBelow } from '../../../../../test/uploads.ts'
import { makeWorker } from '../../../../../test/worker.ts'
import { prepareOverlay } from './overlay.ts'

let server: TestServer
beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())

const put = (owner: Session, files: Record<string, Buffer | string>) => putBelow(server, owner, files)

/** The member's own pixels as a PNG. */
const grey = (values: number[], width: number): Promise<Buffer> =>
  sharp(Uint8Array.from(values), { raw: { width, height: values.length / width, channels: 1 } })
    .png()
    .toBuffer()

const mask = { kind: 'mask', reader: null }

const bytesOf = async ({ url }: Overlay): Promise<number[]> => {
  const response = await fetch(server.url + url)
  expect(response.status).toBe(200)
  return [...gunzipSync(Buffer.from(await response.arrayBuffer()))]
}

const pictures = async () => ({
  'images/7.png': await grey([10, 20, 30, 40], 2),
  'masks/7.png': await grey([0, 1, 2, 2], 2),
  'masks/8.png': await grey([1, 1, 1, 1], 2),
  'masks/labels.txt': Buffer.from('1: vessel\n2: lesion\n'),
  'images/other.png': await grey([0, 0, 0, 0, 0, 0], 3),
})

describe('a mask', () => {
  it('in the folder beside is offered first, and shown with the names of its values', async () => {
    const me = await server.signUp({ vipLevel: 3 })
    const { idOf } = await put(me, await pictures())
    const { data } = await server.call('files/overlays', { id: idOf('images/7.png') }, me)
    expect(data.candidates).toEqual([
      { id: idOf('masks/7.png'), name: '7.png', folder: 'masks', isLikely: true, ...mask },
      { id: idOf('images/other.png'), name: 'other.png', folder: '', isLikely: false, ...mask },
    ])
    const wanted = { id: idOf('images/7.png'), maskId: idOf('masks/7.png') }
    const laid = (await server.call('files/overlay', wanted, me)).data
    expect(laid).toMatchObject({ state: 'ready', reason: null, name: '7.png', notes: [] })
    expect(laid.labels).toEqual([
      { key: '1', colour: null, name: 'vessel', count: 1 },
      { key: '2', colour: null, name: 'lesion', count: 2 },
    ])
    expect(await bytesOf(laid)).toEqual([0, 1, 2, 2])
    const wrong = await server.call('files/overlay', { ...wanted, maskId: idOf('images/other.png') }, me)
    expect(wrong.data.reason).toEqual({ name: 'overlay_size', params: { image: '2 × 2', mask: '3 × 2' } })
  })

  it('of a volume is laid by place, by a job where it takes long', async () => {
    const me = await server.signUp({ vipLevel: 3 })
    const { idOf } = await put(me, {
      'brain.nii.gz': niftiVolume({ size: [5, 4, 3] }),
      'brain_seg.nii.gz': niftiVolume({ size: [5, 4, 3], at: (x) => x % 3 }),
    })
    const wanted = { series: false, maskId: idOf('brain_seg.nii.gz') }
    await prepareOverlay(makeWorker(server), { userId: me.userId, fileId: idOf('brain.nii.gz'), ...wanted })
    const laid = (await server.call('files/overlay', { id: idOf('brain.nii.gz'), ...wanted }, me)).data
    expect(laid).toMatchObject({ state: 'ready', reason: null })
    expect(await bytesOf(laid)).toHaveLength(60)
  })

  it('is nobody’s who may not see it, and its address ends with the right to it', async () => {
    const me = await server.signUp({ vipLevel: 3 })
    const stranger = await server.signUp()
    const { top, idOf } = await put(me, await pictures())
    const wanted = { id: idOf('images/7.png'), maskId: idOf('masks/7.png') }
    for (const who of [stranger, null]) {
      const error = who ? 'missing' : 'not_signed_in'
      expect((await server.call('files/overlay', wanted, who)).data.error).toBe(error)
      expect((await server.call('files/overlays', { id: wanted.id }, who)).data.error).toBe(error)
    }
    const others = await put(stranger, { 'own.png': await grey([1, 1, 1, 1], 2) })
    const mixed = await server.call(
      'files/overlay',
      { id: others.idOf('own.png'), maskId: wanted.maskId },
      stranger,
    )
    expect(mixed.data.error).toBe('missing')
    const laid = (await server.call('files/overlay', wanted, me)).data
    await server.call('files/remove', { ids: [top] }, me)
    expect(await (await fetch(server.url + laid.url)).json()).toMatchObject({ data: { error: 'missing' } })
  })
})

describe('behind a share link', () => {
  const linkTo = async (owner: Session, id: string): Promise<string> => {
    const { data } = await server.call(
      'files/createLink',
      { id, days: 7, password: null, withPatients: true },
      owner,
    )
    return (await server.call('files/visitLink', { token: data.token, password: '' })).data.pass ?? ''
  }

  it('masks are shown as far as the link reaches, and no folder beside it is told of', async () => {
    const me = await server.signUp({ vipLevel: 3 })
    const { top, idOf } = await put(me, await pictures())
    const image = idOf('images/7.png')
    const whole = await linkTo(me, top)
    const seen = await server.call('files/overlaysLinked', { pass: whole, id: image })
    expect(seen.data.candidates[0]).toEqual({
      id: idOf('masks/7.png'),
      name: '7.png',
      folder: '',
      isLikely: true,
      ...mask,
    })
    const laid = await server.call('files/overlayLinked', {
      pass: whole,
      id: image,
      maskId: idOf('masks/7.png'),
    })
    expect(await bytesOf(laid.data)).toEqual([0, 1, 2, 2])
    expect(laid.data.labels[0]?.name).toBe('vessel')
    const inside = await linkTo(me, idOf('images'))
    const near = await server.call('files/overlaysLinked', { pass: inside, id: image })
    expect(near.data.candidates.map(({ name }) => name)).toEqual(['other.png'])
    const beyond = await server.call('files/overlayLinked', {
      pass: inside,
      id: image,
      maskId: idOf('masks/7.png'),
    })
    expect(beyond.data.error).toBe('missing')
  })
})
