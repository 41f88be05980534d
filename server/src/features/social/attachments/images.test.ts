import { roles } from '@neuroloom/contract/accounts/roles'
import { social as limits } from '@neuroloom/contract/limits'
import type { Opened } from '@neuroloom/contract/social/attachments'
import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../../test/harness.ts'
import { bitmap, dicomSlice } from '../../../../test/images.ts'
import { makeCalls, makeGroup, makeMember, makePair } from '../../../../test/social.ts'
import { fetchImage, makeImage, openImage, picture, sendImage } from '../../../../test/social-images.ts'
import { unzip } from '../../../../test/unzip.ts'
import { blobs, sweepOrphans } from '../../../infra/storage/blobs.ts'
import { users } from '../../accounts/tables.ts'
import { socialTries } from '../moderation/tables.ts'
import { eraseOf, sweepUnsent } from './own.ts'
import { images } from './tables.ts'

let server: TestServer
let calls: ReturnType<typeof makeCalls>
beforeAll(async () => {
  server = await makeServer()
  calls = makeCalls(server)
})
afterAll(() => server.close())

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1)
const imageOf = (opened: Opened | null | undefined): string => (opened?.kind === 'image' ? opened.url : '')
const reference = ({ id }: { id: string }) => ({ kind: 'image' as const, id })

/** Sessions stay: the server's own clock does not move. */
const tomorrow = ({ ctx }: TestServer) => ({
  ...ctx,
  now: () => new Date(ctx.now().getTime() + limits.imageWaitMs + 1000),
})

/** A message with an image of its own, and that image. */
async function sendOne(who: Session, chatId: string) {
  const image = await makeImage(server, who)
  const { data } = await calls.send(who, chatId, '', { attachments: [reference(image)] })
  return { image, message: data }
}

describe('an image on its way', () => {
  it('is kept as its pixels alone: without place, camera and what stands behind its end', async () => {
    const doctor = await makeMember(server, 'Doctor')
    const exif = {
      IFD0: { Artist: 'Doctor Ode', Copyright: 'Ward 3' },
      IFD3: { GPSLatitude: '51/1 30/1 0/1' },
    }
    const jpeg = await picture({ width: 120, height: 80 }).withExif(exif).jpeg().toBuffer()
    expect(jpeg.includes('Doctor Ode')).toBe(true)
    const { data } = await sendImage(server, doctor, Buffer.concat([jpeg, Buffer.from('PK\x03\x04 Mr Ode')]))
    expect(data).toMatchObject({ kind: 'image', width: 120, height: 80 })
    const opened = await openImage(server, doctor, data.id)
    const response = await fetchImage(server, opened?.url ?? '')
    const bytes = Buffer.from(await response.arrayBuffer())
    expect(response.headers.get('content-type')).toBe('image/webp')
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(bytes.includes('Ode')).toBe(false)
    const { exif: kept, width } = await sharp(bytes).metadata()
    expect([kept, width]).toEqual([undefined, 120])
  })

  it('may be a JPG, PNG, GIF or BMP, and is no larger than a screen shows', async () => {
    const doctor = await makeMember(server, 'Doctor')
    const still = picture({ width: 3000, height: 30 })
    const frames = Buffer.concat([Buffer.alloc(60 * 40 * 3), Buffer.alloc(60 * 40 * 3, 255)])
    const moving = await sharp(frames, { raw: { width: 60, height: 80, channels: 3, pageHeight: 40 } })
      .gif()
      .toBuffer()
    const wide = (await sendImage(server, doctor, await still.png().toBuffer())).data
    expect([wide.width, wide.height]).toEqual([limits.imageSide, 26])
    const gif = (await sendImage(server, doctor, moving)).data
    expect([gif.width, gif.height]).toEqual([60, 40])
    const opened = await openImage(server, doctor, gif.id)
    const whole = await (await fetchImage(server, opened?.url ?? '')).arrayBuffer()
    expect((await sharp(Buffer.from(whole)).metadata()).pages).toBe(2)
    const bmp = (await sendImage(server, doctor, bitmap(4, 3))).data
    expect([bmp.width, bmp.height]).toEqual([4, 3])
  })

  it.each([
    ['a page', 'image_kind', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['a DICOM file', 'image_patient', dicomSlice()],
    ['5 MB and a byte', 'image_bytes', Buffer.alloc(limits.imageBytes + 1)],
    ['far more than 5 MB', 'too_large', Buffer.alloc(4 * limits.imageBytes)],
    ['nothing', 'bad_request', Buffer.alloc(0)],
  ])('is refused where it is %s', async (_what, failure, bytes) => {
    const doctor = await makeMember(server, 'Doctor')
    expect((await sendImage(server, doctor, bytes)).data.error).toBe(failure)
    expect(await server.ctx.db.$count(images, eq(images.ownerId, doctor.userId))).toBe(0)
  })

  it('is taken from members alone, and not too many at a time', async () => {
    const bytes = await picture().png().toBuffer()
    const provider = await server.signUp({ role: roles.provider })
    expect((await sendImage(server, provider, bytes)).data.error).toBe('not_allowed')
    expect((await sendImage(server, null, bytes)).data.error).toBe('not_signed_in')
    const doctor = await makeMember(server, 'Doctor')
    await server.ctx.db.update(users).set({ createdAt: server.ctx.now() }).where(eq(users.id, doctor.userId))
    const tries = upTo(limits.newImagesSent).map(() => ({
      ...{ userId: doctor.userId, kind: 'image' as const, at: server.ctx.now() },
    }))
    await server.ctx.db.insert(socialTries).values(tries)
    expect((await sendImage(server, doctor, bytes)).data.error).toBe('social_slow')
    await server.ctx.db.delete(socialTries)
    for (const _ of upTo(limits.newImagesADay)) await makeImage(server, doctor)
    expect((await sendImage(server, doctor, bytes)).data).toMatchObject({
      error: 'images_a_day',
      params: { limit: limits.newImagesADay },
    })
  })

  it('is nobody else’s, goes once, and is forgotten when it is not sent', async () => {
    const { doctor, nurse, chatId } = await makePair(server)
    const image = await makeImage(server, doctor)
    expect(await openImage(server, nurse, image.id)).toBeNull()
    const send = (who: Session, list: { id: string }[]) =>
      calls.send(who, chatId, 'look', { attachments: list.map(reference) })
    expect((await send(nurse, [image])).data.error).toBe('image_missing')
    expect((await send(doctor, [image, image])).data.error).toBe('image_missing')
    expect((await send(doctor, [{ id: 'nothing' }])).data.error).toBe('image_missing')
    const six = upTo(limits.images + 1).map((number) => ({ id: `image-${number}` }))
    expect((await send(doctor, six)).data.error).toBe('invalid')
    expect((await calls.read(doctor, chatId)).messages).toEqual([])
    expect((await send(doctor, [image])).code).toBe(10200)
    expect((await send(doctor, [image])).data.error).toBe('image_missing')
    const waiting = await makeImage(server, doctor)
    await sweepUnsent(tomorrow(server))
    expect((await send(doctor, [waiting])).data.error).toBe('image_missing')
    expect(await openImage(server, nurse, image.id)).not.toBeNull()
  })
})

describe('an image of a message', () => {
  it('is opened by those who see the message, in order, also when it is sent twice', async () => {
    const { doctor, nurse, chatId } = await makePair(server)
    const stranger = await makeMember(server, 'Stranger')
    const [first, second] = [await makeImage(server, doctor), await makeImage(server, doctor, { width: 90 })]
    const body = { attachments: [reference(second), reference(first)], requestId: 'the-same-request' }
    const sent = await Promise.all([
      calls.send(doctor, chatId, '', body),
      calls.send(doctor, chatId, '', body),
    ])
    expect(sent.map(({ data }) => data.id)).toEqual([1, 1])
    const { messages } = await calls.read(nurse, chatId)
    expect(messages).toMatchObject([{ text: '', attachments: [second, first] }])
    const opened = await openImage(server, nurse, second.id)
    expect((await fetchImage(server, opened?.url ?? '')).status).toBe(200)
    expect((await fetchImage(server, opened?.previewUrl ?? '')).status).toBe(200)
    expect(await openImage(server, stranger, second.id)).toBeNull()
    // An address says who opens it: nothing of it can be changed.
    const foreign = (opened?.url ?? '').replace(nurse.userId, stranger.userId)
    expect((await (await fetchImage(server, foreign)).json()).data.error).toBe('link_expired')
    const other = (opened?.url ?? '').replace(second.id, first.id)
    expect((await (await fetchImage(server, other)).json()).data.error).toBe('link_expired')
  })

  it('is asked for at each opening, and sent again only where it changed', async () => {
    const { doctor, nurse, chatId } = await makePair(server)
    const { image, message } = await sendOne(doctor, chatId)
    const { url = '' } = (await openImage(server, nurse, image.id)) ?? {}
    const response = await fetchImage(server, url)
    expect(response.headers.get('cache-control')).toBe('private, no-cache')
    const known = { 'if-none-match': response.headers.get('etag') ?? '' }
    expect((await fetchImage(server, url, known)).status).toBe(304)
    await server.call('social/withdraw', { chatId, messageId: message.id }, doctor)
    expect((await (await fetchImage(server, url, known)).json()).data.error).toBe('missing')
    expect(await openImage(server, doctor, image.id)).toBeNull()
    expect((await calls.read(nurse, chatId)).messages).toMatchObject([{ isWithdrawn: true, attachments: [] }])
  })

  it('is seen in a group from joining to leaving, and not in a removed history', async () => {
    const [doctor, nurse] = [await makeMember(server, 'Doctor'), await makeMember(server, 'Nurse')]
    const group = await makeGroup(server, [doctor])
    const before = (await sendOne(doctor, group.chatId)).image
    await server.call('social/joinGroup', { number: group.number }, nurse)
    const between = (await sendOne(doctor, group.chatId)).image
    await server.call('social/exitGroup', { groupId: group.id }, nurse)
    const after = (await sendOne(doctor, group.chatId)).image
    const seen = async () =>
      Promise.all(
        [before, between, after].map(async ({ id }) => (await openImage(server, nurse, id)) !== null),
      )
    expect(await seen()).toEqual([false, true, false])
    await server.call('social/removeChat', { chatId: group.chatId }, nurse)
    expect(await seen()).toEqual([false, false, false])
  })

  it('is named in a reply to it, until it is withdrawn', async () => {
    const { doctor, nurse, chatId } = await makePair(server)
    const { message } = await sendOne(doctor, chatId)
    const reply = (await calls.send(nurse, chatId, 'Sharp', { replyTo: message.id })).data
    expect(reply.replyTo).toMatchObject({ text: '', attached: 'image' })
    await server.call('social/withdraw', { chatId, messageId: message.id }, doctor)
    expect((await calls.read(nurse, chatId)).messages[1]?.replyTo).toMatchObject({ text: '', attached: null })
  })
})

describe('an image of a post', () => {
  it('is opened by everybody who sees the post, and ends with it', async () => {
    const [doctor, nurse] = [await makeMember(server, 'Doctor'), await makeMember(server, 'Nurse')]
    const image = await makeImage(server, doctor)
    const attachments = [reference(image)]
    const create = (requestId: string) =>
      server.call('social/createPost', { requestId, text: '', attachments }, doctor)
    const post = (await create('request-of-the-post')).data
    expect(post).toMatchObject({ text: '', attachments: [image] })
    expect((await create('request-of-the-post')).data.id).toBe(post.id)
    expect((await create('another-request')).data.error).toBe('image_missing')
    expect(await openImage(server, nurse, image.id)).not.toBeNull()
    const edited = await server.call('social/editPost', { postId: post.id, text: 'Look' }, doctor)
    expect(edited.data).toMatchObject({ text: 'Look', attachments: [image] })
    await server.call('social/block', { memberId: nurse.userId }, doctor)
    expect(await openImage(server, nurse, image.id)).toBeNull()
    await server.call('social/unblock', { memberId: nurse.userId }, doctor)
    expect(await openImage(server, nurse, image.id)).not.toBeNull()
    await server.call('social/deletePost', { postId: post.id }, doctor)
    expect(await openImage(server, doctor, image.id)).toBeNull()
  })

  it('does not make an empty post of nothing', async () => {
    const doctor = await makeMember(server, 'Doctor')
    const empty = await server.call('social/createPost', { requestId: 'nothing-at-all', text: ' ' }, doctor)
    expect(empty.data.fields).toEqual({ text: 'form.required' })
  })
})

describe('a report', () => {
  it('keeps the images of what it is about, for administrators alone', async () => {
    const { doctor, nurse, chatId } = await makePair(server)
    const office = await server.signUp({ role: roles.administrator })
    const { image, message } = await sendOne(doctor, chatId)
    const target = { kind: 'message', chatId, targetId: String(message.id), reason: 'patient_data' } as const
    expect((await server.call('social/report', target, nurse)).code).toBe(10200)
    await server.call('social/withdraw', { chatId, messageId: message.id }, doctor)
    const { reports } = (await server.call('office/socialReports', { state: 'open' }, office)).data
    expect(reports).toMatchObject([{ content: '', attachments: [{ attachment: image }] }])
    const [kept] = reports[0]?.attachments ?? []
    const response = await fetchImage(server, imageOf(kept?.opened))
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/webp'])
    await server.ctx.db.update(users).set({ role: roles.member }).where(eq(users.id, office.userId))
    const refused = await fetchImage(server, imageOf(kept?.opened))
    expect((await refused.json()).data.error).not.toBeUndefined()
    // Nothing else keeps the bytes, and the sweep leaves them.
    await sweepOrphans(tomorrow(server))
    expect((await keptBytes(image.id)).length).toBeGreaterThan(0)
  })
})

/** The bytes that a report keeps, as the store has them. */
async function keptBytes(imageId: string): Promise<Buffer> {
  const { rows } = await server.ctx.pool.query<{ sha256: string }>(
    'select sha256 from social_report_images where image_id = $1',
    [imageId],
  )
  const chunks: Buffer[] = []
  for await (const chunk of server.ctx.storage.read(rows[0]?.sha256 ?? '')) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}

describe('a member’s own images', () => {
  it('lie in the archive, and go with the account wherever they were sent', async () => {
    const { doctor, nurse, chatId } = await makePair(server)
    const { image } = await sendOne(doctor, chatId)
    const { data } = await server.call('user/export', {}, doctor)
    const archive = await unzip(Buffer.from(await (await fetch(server.url + data.url)).arrayBuffer()))
    expect([...archive.keys()]).toContain(`social-images/${image.id}.webp`)
    await eraseOf(server.ctx, doctor.userId)
    expect(await openImage(server, nurse, image.id)).toBeNull()
    expect((await calls.read(nurse, chatId)).messages).toMatchObject([{ attachments: [image] }])
    const [row] = await server.ctx.db.select().from(images).where(eq(images.id, image.id))
    expect(row).toBeUndefined()
  })

  it('are one on the disk where their bytes are equal, and leave it with the last of them', async () => {
    const { doctor, chatId } = await makePair(server)
    const [one, other] = [await sendOne(doctor, chatId), await sendOne(doctor, chatId)]
    const shaOf = async (id: string) =>
      (await server.ctx.db.select().from(images).where(eq(images.id, id)))[0]?.sha256 ?? ''
    const sha256 = await shaOf(one.image.id)
    expect(await shaOf(other.image.id)).toBe(sha256)
    const isKept = async () => (await server.ctx.db.$count(blobs, eq(blobs.sha256, sha256))) > 0
    await server.ctx.db.delete(images)
    await server.ctx.pool.query('delete from social_report_images')
    await sweepOrphans(tomorrow(server))
    expect(await isKept()).toBe(false)
  })
})
