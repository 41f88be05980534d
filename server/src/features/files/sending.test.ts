import { EventEmitter } from 'node:events'
import { get } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyReply } from 'fastify'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../test/harness.ts'
import { inLongRun } from '../../../test/long-run.ts'
import { makeFolder, put } from '../../../test/sharing.ts'
import type { Listener } from '../../infra/listener.ts'
import { sendWhile, watchSends } from './sending.ts'

let server: TestServer
let owner: Session
let folderId: string
let id: string
/** More than the systems of both ends hold back for a slow reader. */
const bytes = Buffer.alloc(48 * 1024 * 1024, 'x')
/**
 * What the product promises, from the answer on: what a call itself takes is the machine's affair. Only the long run
 * measures it; here it is enough that the server cuts a line whose other end waits and would never end it.
 */
const PROMISE_MS = inLongRun(1000)

beforeAll(async () => {
  server = await makeServer()
  server.app.server.on('connection', (line: Socket) => lines.set(line.remotePort ?? 0, line))
  owner = await server.signUp({ vipLevel: 4 })
  folderId = await makeFolder(server, owner, 'scans')
  id = await put(server, owner, { parentId: folderId, name: 'large.bin', bytes })
})
afterAll(() => server.close())

/** By the port of the other end. */
const lines = new Map<number, Socket>()

type Slow = {
  /** When the server let go of the line. */
  cutAt: Promise<number>
  /** Reads on; how many bytes came in all, and whether that was the end of the file. */
  finish(): Promise<{ received: number; isWhole: boolean }>
}

/** Reads the first bytes and then waits, as somebody with a slow line. */
const readSlowly = (url: string, from = server): Promise<Slow> =>
  new Promise((resolve, reject) => {
    get(from.url + url, { agent: false }, (response) => {
      const line = lines.get(response.socket.localPort ?? 0)
      if (!line) return reject(new Error('The server knows no such line'))
      // habit: the promise in seconds is held against the clock in the long run alone
      const cutAt = new Promise<number>((cut) => line.once('close', () => cut(performance.now())))
      let received = 0
      response.on('data', (chunk: Buffer) => {
        received += chunk.length
      })
      const over = new Promise<boolean>((end) => {
        response.once('end', () => end(true)).once('error', () => end(false))
      })
      response.once('data', () => {
        response.pause()
        resolve({
          cutAt,
          async finish() {
            response.resume()
            return { isWhole: await over, received }
          },
        })
      })
    }).once('error', reject)
  })

const open = async (who: Session): Promise<string> => (await server.call('files/open', { id }, who)).data.url
const share = async (permission: 'view' | 'edit' = 'view') => {
  const friend = await server.signUp()
  const { data } = await server.call(
    'files/share',
    { id: folderId, account: friend.account, permission },
    owner,
  )
  return { friend, shareId: data.id }
}

describe('a download under way', () => {
  it.each(['unshare', 'leaveShare'] as const)('ends within a second of %s', async (call) => {
    const { friend, shareId } = await share()
    const slow = await readSlowly(await open(friend))
    if (call === 'unshare') await server.call('files/unshare', { shareIds: [shareId] }, owner)
    else await server.call('files/leaveShare', { shareId }, friend)
    // habit: the promise in seconds is held against the clock in the long run alone
    const since = performance.now()
    expect((await slow.cutAt) - since).toBeLessThan(PROMISE_MS)
    const { received, isWhole } = await slow.finish()
    expect(isWhole).toBe(false)
    expect(received).toBeLessThan(bytes.length)
  })

  it.each(['removeMember', 'exitGroup', 'dissolveGroup', 'takeFromGroup'] as const)(
    'of group data ends within a second of %s',
    async (call) => {
      const group = (await server.call('files/createGroup', { name: 'Ward 3' }, owner)).data
      const member = await server.signUp()
      await server.call('files/joinGroup', { number: group.number }, member)
      const given = await server.call(
        'files/giveToGroup',
        { groupId: group.id, ids: [folderId], permission: 'view' },
        owner,
      )
      const slow = await readSlowly(await open(member))
      const [groupId, shareId] = [group.id, given.data.shares[0]?.id ?? '']
      if (call === 'removeMember')
        await server.call(`files/${call}`, { groupId, memberId: member.userId }, owner)
      else if (call === 'exitGroup') await server.call(`files/${call}`, { groupId }, member)
      else if (call === 'dissolveGroup') await server.call(`files/${call}`, { groupId }, owner)
      else await server.call(`files/${call}`, { groupId, shareId }, owner)
      // habit: the promise in seconds is held against the clock in the long run alone
      const since = performance.now()
      expect((await slow.cutAt) - since).toBeLessThan(PROMISE_MS)
      if (call !== 'dissolveGroup') await server.call('files/dissolveGroup', { groupId }, owner)
    },
  )

  it('by a link ends within a second of its revocation', async () => {
    const { token, link } = (await server.call('files/createLink', { id: folderId, days: 1 }, owner)).data
    const pass = (await server.call('files/visitLink', { token })).data.pass ?? ''
    const slow = await readSlowly((await server.call('files/openLinked', { pass, id })).data.url)
    await server.call('files/revokeLink', { linkId: link.id }, owner)
    // habit: the promise in seconds is held against the clock in the long run alone
    const since = performance.now()
    expect((await slow.cutAt) - since).toBeLessThan(PROMISE_MS)
  })

  it('ends within a second when its folder is removed, for whom it was shared with and for its owner', async () => {
    const { friend, shareId } = await share()
    const slow = await Promise.all([friend, owner].map(async (who) => readSlowly(await open(who))))
    await server.call('files/remove', { ids: [folderId] }, owner)
    // habit: the promise in seconds is held against the clock in the long run alone
    const since = performance.now()
    for (const { cutAt } of slow) expect((await cutAt) - since).toBeLessThan(PROMISE_MS)
    await server.call('files/restore', { ids: [folderId] }, owner)
    await server.call('files/unshare', { shareIds: [shareId] }, owner)
  })

  it('at another server of the product ends within a second, too', async () => {
    const { databaseUrl, dataDir } = server.ctx.config
    const other = await makeServer({ databaseUrl, dataDir })
    try {
      other.app.server.on('connection', (line: Socket) => lines.set(line.remotePort ?? 0, line))
      const { friend, shareId } = await share()
      const slow = await readSlowly(await open(friend), other)
      await server.call('files/unshare', { shareIds: [shareId] }, owner)
      // habit: the promise in seconds is held against the clock in the long run alone
      const since = performance.now()
      expect((await slow.cutAt) - since).toBeLessThan(PROMISE_MS)
    } finally {
      await other.close()
    }
  })

  it('goes on while another way to it is left, and when somebody else’s ends', async () => {
    const [friend, gone] = [await server.signUp(), await share()]
    const give = async (entryId: string) => {
      const body = { id: entryId, account: friend.account, permission: 'view' as const }
      return (await server.call('files/share', body, owner)).data.id
    }
    // First the file, then the folder: the other way round it has access already.
    const [shareId, second] = [await give(id), await give(folderId)]
    const slow = await readSlowly(await open(friend))
    await server.call('files/unshare', { shareIds: [shareId, gone.shareId] }, owner)
    expect(await slow.finish()).toEqual({ received: bytes.length, isWhole: true })
    await server.call('files/unshare', { shareIds: [second] }, owner)
  })
})

it('a withdrawal while the right is looked at is answered in words, and no line is cut', async () => {
  let tell: (owner: string) => void = () => undefined
  const on = (_: string, told: typeof tell) => {
    tell = told
  }
  const listener = { on } as unknown as Listener
  watchSends({ listener })
  const socket = { resetAndDestroy: vi.fn() }
  const reply = { raw: Object.assign(new EventEmitter(), { destroyed: false, socket }) }
  let looked = 0
  const check = async () => {
    looked += 1
    // Withdrawn just after the first look.
    if (looked > 1) throw new Error('link gone')
    tell('owner')
    await new Promise(setImmediate)
  }
  const sending = sendWhile({ listener }, reply as unknown as FastifyReply, { ownerId: 'owner', check })
  await expect(sending).rejects.toThrow('link gone')
  expect(looked).toBe(3)
  expect(socket.resetAndDestroy).not.toHaveBeenCalled()
})
