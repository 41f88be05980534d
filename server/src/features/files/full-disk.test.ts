import { randomBytes } from 'node:crypto'
import { roles } from '@neuroloom/contract/accounts/roles'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { drag } from '../../../test/drag.ts'
import { MEGABYTE, prepare } from '../../../test/full-disk-folder.ts'
import { headersOf, makeServer, PASSWORD, type Session, type TestServer } from '../../../test/harness.ts'
import { makeTrainingSet, type TrainingSet } from '../../../test/training.ts'
import { sha256, tusCreate, tusOffset, tusPatch, upload } from '../../../test/uploads.ts'
import { makeWorker } from '../../../test/worker.ts'
import { zipOf } from '../../../test/zip.ts'
import { firstStart } from '../../first-start.ts'
import { watchRoom } from '../../infra/housekeeping.ts'
import { notices } from '../../infra/notices.ts'
import { createRoom } from '../../infra/room.ts'
import { users } from '../accounts/tables.ts'
import { startRunner } from '../runs/queue/jobs.ts'

type Envelope = { data: { error?: string } }

describe('below the reserve', () => {
  /** The disk as the server is told of it. */
  const disk = { freeBytes: Number.MAX_SAFE_INTEGER, totalBytes: 1e12 }

  let asked = 0

  const probe = async () => {
    asked += 1
    return { ...disk }
  }

  let server: TestServer

  let account: string

  let who: Session

  let set: TrainingSet

  let fileId: string

  let archiveId: string

  beforeAll(async () => {
    const room = createRoom({ folder: '/', minFreeBytes: 2e9, probe, knownMs: 0 })
    server = await makeServer({}, { room })
    const signedUp = await server.signUp({ vipLevel: 2 })
    account = signedUp.account
    who = signedUp
    set = await makeTrainingSet(server, who, { items: 24 })
    const loose = [
      { path: 'a.png', bytes: randomBytes(10) },
      { path: 'a.zip', bytes: zipOf([{ name: 'b.txt', bytes: Buffer.from('b') }]) },
    ]
    await upload(server, who, { files: loose })
    const { entries } = (await server.call('files/list', { folderId: null }, who)).data
    fileId = entries.find(({ name }) => name === 'a.png')?.id ?? ''
    archiveId = entries.find(({ name }) => name === 'a.zip')?.id ?? ''
  })

  afterAll(() => server.close())

  beforeEach(() => {
    disk.freeBytes = 2e9 - 1
  })

  const startRun = () =>
    server.call(
      'runs/start',
      { projectId: set.projectId, parts: set.parts, network: 'small_resnet', hyper: {}, force: true },
      who,
    )

  it('everything that would fill the disk is refused by name, in a sentence of its own', async () => {
    const refused = [
      await prepare(server, who, 1),
      await server.call('files/convert', { ids: [fileId], format: 'tiff' }, who),
      await server.call('files/unpack', { id: archiveId }, who),
      await startRun(),
    ]
    for (const { status, message, data } of refused) {
      expect([status, data.error]).toEqual([507, 'disk_full'])
      expect(message).toMatch(/Nothing was lost/)
    }
  })

  it('an upload under way waits where it is, and goes on when there is room', async () => {
    disk.freeBytes = 1e12
    const bytes = randomBytes(2 * MEGABYTE)
    const { data } = await prepare(server, who, bytes.length)
    const number = data.uploads[0] ?? ''
    await tusCreate(server, who, { upload: number, bytes: bytes.subarray(0, MEGABYTE), total: bytes.length })
    disk.freeBytes = 2e9
    const rest = { upload: number, bytes: bytes.subarray(MEGABYTE), offset: MEGABYTE }
    expect((await tusPatch(server, who, rest)).status).toBe(507)
    expect(await tusOffset(server, who, number)).toBe(MEGABYTE)
    disk.freeBytes = 1e12
    expect((await tusPatch(server, who, rest)).status).toBe(204)
  })

  it('small files in one request, and one file in a form, are refused in the same way', async () => {
    disk.freeBytes = 1e12
    const { data } = await prepare(server, who, 3)
    disk.freeBytes = 2e9 + 2
    const bytes = Buffer.from('abc')
    const files = [{ upload: data.uploads[0], sizeBytes: 3, checksum: sha256(bytes) }]
    const form = new FormData()
    form.set('file', new Blob([bytes]), 'a.txt')
    const bodies: [string, Record<string, string>, Buffer<ArrayBuffer> | FormData][] = [
      [
        'chunk/bundle',
        { 'content-type': 'application/octet-stream' },
        Buffer.concat([Buffer.from(`${JSON.stringify({ files })}\n`), bytes]),
      ],
      ['project/file/upload', {}, form],
    ]
    for (const [path, headers, body] of bodies) {
      const init = { method: 'POST', headers: { ...headersOf(who), ...headers }, body }
      const response = await fetch(`${server.url}/AI/api/${path}`, init)
      expect([path, response.status, ((await response.json()) as Envelope).data.error]).toEqual([
        path,
        507,
        'disk_full',
      ])
    }
  })

  it('a paused run is not resumed, and one in the queue waits until there is room', async () => {
    disk.freeBytes = 1e12
    const { id } = (await startRun()).data
    await server.call('runs/pause', { id }, who)
    disk.freeBytes = 2e9 - 1
    expect((await server.call('runs/resume', { id }, who)).data.error).toBe('disk_full')
    disk.freeBytes = 1e12
    expect((await server.call('runs/resume', { id }, who)).code).toBe(10200)
    disk.freeBytes = 2e9 - 1
    const before = asked
    const worker = makeWorker(server)
    const runner = startRunner(worker)
    const stateOf = async () => (await server.call('runs/detail', { id }, who)).data.run.state
    // The worker comes by, each time it is called, and looks at the disk before it takes a run.
    await expect
      .poll(async () => {
        await server.ctx.pool.query("select pg_notify('runs', 'queued')")
        return asked - before
      })
      .toBeGreaterThan(2)
    expect(await stateOf()).toBe('queued')
    disk.freeBytes = 1e12
    await expect.poll(stateOf).toBe('running')
    await server.call('runs/stop', { id }, who)
    await runner.stop()
    worker.engine.close()
  })

  it('signing in, looking, copying, deleting and their records go on', async () => {
    const proof = await drag(server)
    const { data } = await server.call('user/login', { account, password: PASSWORD, proof })
    who = { userId: data.id, token: data.token }
    const { data: copy } = await server.call(
      'files/copy',
      { ids: [fileId], targetId: null, sameName: 'rename' },
      who,
    )
    expect(copy.error).toBeUndefined()
    expect((await server.call('files/remove', { ids: [fileId] }, who)).code).toBe(10200)
    expect((await server.call('files/purge', { ids: null }, who)).data.purged).toBe(1)
  })

  it('a server starts, with an administrator and without samples', async () => {
    const lines = await firstStart(server.ctx, { demo: true })
    expect(lines).toEqual([
      expect.stringMatching(/^Administrator: /),
      'No demo member yet: the disk is nearly full. Make room and start again.',
    ])
    await server.ctx.db.delete(users).where(eq(users.role, roles.administrator))
  })

  it('administrators are told once, with what is left, and see what plans promise beyond the disk', async () => {
    const { userId } = who
    await server.ctx.db.update(users).set({ role: roles.administrator }).where(eq(users.id, userId))
    await watchRoom(server.ctx)
    await watchRoom(server.ctx)
    const told = await server.ctx.db.select().from(notices).where(eq(notices.kind, 'disk_low'))
    expect(told).toMatchObject([{ userId, params: { free: '1.9', reserve: '1.9' } }])
    const { data } = await server.call('site/server', {}, who)
    expect(data.disk).toEqual({
      ...disk,
      reserveBytes: 2e9,
      // One bronze member's plan.
      promisedBytes: 500 * 1024 ** 3,
    })
  })
})
