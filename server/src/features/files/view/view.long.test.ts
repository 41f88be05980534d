/** A large file is shown. */
import { viewing as limits } from '@neuroloom/contract/limits'
import type { View } from '@neuroloom/contract/viewing'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../../test/harness.ts'
import { niftiVolume } from '../../../../test/images.ts'
import { tusCreate, tusPatch } from '../../../../test/uploads.ts'
import { makeWorker } from '../../../../test/worker.ts'
import { prepareView } from './view.ts'

let server: TestServer
beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())

/** In two requests: one takes no more than a chunk. */
async function putLarge(session: Session, name: string, bytes: Buffer): Promise<string> {
  const files = [{ path: name, sizeBytes: bytes.length }]
  const { data } = await server.call('files/prepare', { parentId: null, sameName: 'rename', files }, session)
  const number = data.uploads[0] ?? ''
  const half = bytes.subarray(0, bytes.length / 2)
  await tusCreate(server, session, { upload: number, bytes: half, total: bytes.length })
  await tusPatch(server, session, { upload: number, bytes: bytes.subarray(half.length), offset: half.length })
  const list = await server.call('files/list', { folderId: null, search: name }, session)
  return list.data.entries[0]?.id ?? ''
}

async function see(session: Session, id: string, series = false): Promise<View> {
  const { data, code, message } = await server.call('files/view', { id, series }, session)
  if (code !== 10200) throw new Error(message)
  return data
}

/** What pages would hear. */
async function listen(): Promise<{ heard: unknown[]; end(): Promise<void> }> {
  const client = new pg.Client({ connectionString: server.ctx.config.databaseUrl })
  await client.connect()
  const heard: unknown[] = []
  client.on('notification', ({ payload }) => heard.push(JSON.parse(payload ?? '')))
  await client.query('listen live_passing')
  return { heard, end: () => client.end() }
}

describe('what was made', () => {
  it('of a large file is made by a job, and the page is told', async () => {
    const me = await server.signUp()
    const bytes = niftiVolume({ size: [200, 200, 130], seed: 3 })
    expect(bytes.length).toBeGreaterThan(limits.inCallBytes)
    const id = await putLarge(me, 'large.nii.gz', bytes)
    expect(await see(me, id)).toMatchObject({ state: 'preparing', kind: 'volume', url: null })
    const news = await listen()
    await prepareView(makeWorker(server), { userId: me.userId, fileId: id, series: false })
    await expect
      .poll(() => news.heard)
      .toEqual([{ topic: `user:${me.userId}`, type: 'view', data: { id, series: false } }])
    await news.end()
    expect(await see(me, id)).toMatchObject({ state: 'ready', facts: { size: [200, 200, 130, 1] } })
  })
})
