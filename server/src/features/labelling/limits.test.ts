import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../test/harness.ts'
import { makeSet, segmentDeed, stepOf } from '../../../test/labels.ts'
import { createRoom } from '../../infra/room.ts'

/** The disk as the server is told of it. */
const disk = { freeBytes: 1e12, totalBytes: 1e12 }
let server: TestServer
beforeAll(async () => {
  const room = createRoom({ folder: '/', minFreeBytes: 2e9, probe: async () => ({ ...disk }), knownMs: 0 })
  server = await makeServer({}, { room })
})
afterAll(() => server.close())

async function begin(who: Session) {
  const set = await makeSet(server, who)
  const itemId = set.items[2]?.id ?? ''
  const { data } = await server.call('labelling/open', { itemId }, who)
  return { itemId, readingId: data.reading?.id ?? '' }
}

it('a stroke that comes when the disk is full is refused in a sentence, and kept when there is room again', async () => {
  const me = await server.signUp()
  const { itemId, readingId } = await begin(me)
  const steps = [stepOf(segmentDeed(1))]
  const save = () => server.call('labelling/save', { readingId, after: 0, steps }, me)
  disk.freeBytes = 2e9 - 1
  const refused = await save()
  expect([refused.status, refused.data]).toMatchObject([507, { error: 'disk_full' }])
  expect(refused.message).toMatch(/Nothing was lost/)
  // Looking goes on: what there is, and what another page did.
  const looked = await server.call('labelling/save', { readingId, after: 0, steps: [] }, me)
  expect(looked.data).toEqual({ seq: 0, missed: [] })
  disk.freeBytes = 1e12
  expect((await save()).data.seq).toBe(1)
  const { data } = await server.call('labelling/open', { itemId }, me)
  expect(data.steps.map(({ id }) => id)).toEqual(steps.map(({ id }) => id))
})
