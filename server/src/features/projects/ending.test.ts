import { get } from 'node:http'
import type { Socket as Line } from 'node:net'
import { LIVE_PATH, type LiveEvent, type Topic } from '@neuroloom/contract/live'
import { io, type Socket } from 'socket.io-client'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../test/harness.ts'
import { inLongRun } from '../../../test/long-run.ts'
import { put } from '../../../test/sharing.ts'
import { makeTrainingSet, startQuick, type TrainingSet } from '../../../test/training.ts'

let server: TestServer
let owner: Session
let set: TrainingSet
let runId: string
/**
 * What the product promises, from the answer on: what a call itself takes is the machine's affair. Only the long run
 * measures it; here it is enough that the server cuts a line whose other end waits and would never end it.
 */
const PROMISE_MS = inLongRun(1000)

beforeAll(async () => {
  server = await makeServer()
  server.app.server.on('connection', (line: Line) => lines.set(line.remotePort ?? 0, line))
  owner = await server.signUp({ password: null, vipLevel: 4 })
  set = await makeTrainingSet(server, owner)
  runId = (await startQuick(server, owner, { set })).id
  // More than the systems of both ends hold back for a slow reader.
  const bytes = Buffer.alloc(48 * 1024 * 1024, 'x')
  await put(server, owner, { parentId: null, name: 'large.bin', bytes })
  await server.ctx.pool.query(
    `insert into run_artifacts select $1, 'weights', sha256, size_bytes from blobs order by size_bytes desc limit 1`,
    [runId],
  )
})
afterAll(() => server.close())

/** By the port of the other end. */
const lines = new Map<number, Line>()

/** Reads the first bytes and then waits, as somebody with a slow line; when the server let go of the line. */
const readSlowly = (url: string): Promise<{ cutAt: Promise<number> }> =>
  new Promise((resolve, reject) => {
    get(server.url + url, { agent: false }, (response) => {
      const line = lines.get(response.socket.localPort ?? 0)
      if (!line) return reject(new Error('The server knows no such line'))
      // habit: the promise in seconds is held against the clock in the long run alone
      const cutAt = new Promise<number>((cut) => line.once('close', () => cut(performance.now())))
      response.on('error', () => undefined)
      response.once('data', () => {
        response.pause()
        resolve({ cutAt })
      })
    }).once('error', reject)
  })

const share = async () => {
  const friend = await server.signUp({ password: null })
  const body = { id: set.projectId, account: friend.account, permission: 'view' } as const
  const { data } = await server.call('projects/share', body, owner)
  return { friend, shareId: data.id }
}

async function watch(who: Session, topics: Topic[]): Promise<{ socket: Socket; heard: string[] }> {
  const { data } = await server.call('user/ticket', {}, who)
  const socket = io(server.url, {
    path: LIVE_PATH,
    transports: ['websocket'],
    forceNew: true,
    auth: { ticket: data.ticket },
  })
  const heard: string[] = []
  socket.on('event', ({ topic, type }: LiveEvent) => heard.push(`${topic.kind} ${type}`))
  for (const topic of topics) {
    expect(await socket.emitWithAck('watch', { ...topic, after: Number.MAX_SAFE_INTEGER })).toEqual({
      ok: true,
    })
  }
  return { socket, heard }
}

describe('the end of a right', () => {
  it.each(['weights', 'archive'] as const)(
    'ends a running download of the %s within a second',
    async (what) => {
      const { friend, shareId } = await share()
      const { data } =
        what === 'weights'
          ? await server.call('runs/download', { id: runId, kind: 'weights' }, friend)
          : await server.call('projects/archive', { id: set.projectId }, friend)
      const slow = await readSlowly(data.url)
      await server.call('projects/unshare', { shareId }, owner)
      // habit: the promise in seconds is held against the clock in the long run alone
      const since = performance.now()
      expect((await slow.cutAt) - since).toBeLessThan(PROMISE_MS)
    },
  )

  it('ends pictures and thumbnails that were given out before', async () => {
    const { friend, shareId } = await share()
    const { data } = await server.call('datasets/items', { id: set.datasetId }, friend)
    const url = server.url + data.items[0]?.image
    expect((await fetch(url)).status).not.toBe(403)
    await server.call('projects/unshare', { shareId }, owner)
    expect(((await (await fetch(url)).json()) as { data: object }).data).toMatchObject({
      error: 'dataset_missing',
    })
  })

  it.each(['unshare', 'setPublic', 'remove'] as const)(
    'ends the news that a page watches: %s',
    async (way) => {
      const { friend, shareId } = await share()
      const stranger = await server.signUp({ password: null })
      if (way === 'setPublic')
        await server.call('projects/setPublic', { id: set.projectId, isPublic: true }, owner)
      const topics: Topic[] = [
        { kind: 'project', id: set.projectId },
        { kind: 'dataset', id: set.datasetId },
        { kind: 'run', id: runId },
      ]
      const { socket, heard } = await watch(way === 'setPublic' ? stranger : friend, topics)
      const owners = await watch(owner, topics)
      const ping = async () => {
        for (const topic of topics) await server.ctx.live.passing(topic, 'ping', {})
      }
      await ping()
      await vi.waitFor(() => expect(heard).toEqual(['project ping', 'dataset ping', 'run ping']), {
        timeout: 60_000,
      })
      if (way === 'unshare') await server.call('projects/unshare', { shareId }, owner)
      if (way === 'setPublic')
        await server.call('projects/setPublic', { id: set.projectId, isPublic: false }, owner)
      if (way === 'remove') await server.call('projects/remove', { id: set.projectId }, owner)
      await vi.waitFor(() => expect(socket.connected).toBe(false), { timeout: 60_000 })
      await ping()
      expect(heard.filter((news) => news.endsWith('ping'))).toHaveLength(topics.length)
      // What is gone is gone for its owner's pages as well.
      await vi.waitFor(() => expect(owners.socket.connected).toBe(way !== 'remove'), { timeout: 60_000 })
      owners.socket.disconnect()
      if (way === 'remove') await server.call('projects/restore', { id: set.projectId }, owner)
    },
  )
})
