/**
 * `npm run bench -- chat`: members who watch the chats of groups and send at fixed times, whether or not earlier messages were
 * answered; a share of the connections is cut at random moments, and catches up. Each reader must have each message once and
 * in order. Goals with 500 connections, 100 messages a second, 5 minutes and 2 cores: p95 from the time that a message is due
 * to each connected reader ≤ 150 ms, and a server grows by at most 150 MB. `--servers 2` divides the members among server
 * processes on one database; whoever was cut comes back at another one. `-- chat --connections 50 --rate 20 --seconds 20
 * --groups 5 --cut 0.2` is gentler; `--stored 1000000` measures opening, paging and searching a long history instead
 * (goal ≤ 150 ms).
 */
import { type ChildProcess, fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { social as limits } from '@neuroloom/contract/limits'
import type { LiveEvent } from '@neuroloom/contract/live'
import type { ChatNews } from '@neuroloom/contract/social/chats'
import { childWith, type Product, removeData, startProduct } from '../e2e/stack.ts'
import { sessions, users } from '../server/src/features/accounts/tables.ts'
import { openDb, openPool } from '../server/src/infra/db.ts'
import { createLog } from '../server/src/infra/log.ts'
import { databaseUrlOf } from '../server/src/infra/postgres/database.ts'
import { startPostgres } from '../server/src/infra/postgres/postgres.ts'
import { openLiveSocket } from '../server/test/live-socket.ts'
import { measureStored } from './chat-stored.ts'
import { type Client, connect } from './client.ts'

const options = {
  connections: { type: 'string', default: '500' },
  rate: { type: 'string', default: '100' },
  seconds: { type: 'string', default: '300' },
  groups: { type: 'string', default: '10' },
  cut: { type: 'string', default: '0.2' },
  servers: { type: 'string', default: '1' },
  stored: { type: 'string', default: '0' },
} as const
const { values } = parseArgs({ options })
const [CONNECTIONS, RATE, SECONDS, GROUPS, CUT, SERVERS, STORED] = [
  values.connections,
  values.rate,
  values.seconds,
  values.groups,
  values.cut,
  values.servers,
  values.stored,
].map(Number) as [number, number, number, number, number, number, number] // As many as stand above.
const GOALS = { p95: 150, growthBytes: 150e6 }
/** A connection that was cut is away for so long, at most. */
const AWAY_MS = 5000
/** What is under way at the end is waited for so long. */
const LAST_MS = 60_000

/** Times are told for so long at once, too. */
const WINDOW_MS = 10_000

/** Before the next try of a reader who could not come back. */
const AGAIN_MS = 1000
const never = () => false
const always = () => true

type Sent = Map<string, number>
type Reader = Awaited<ReturnType<typeof openReader>>

type Server = { url: string; pid: number }

async function bench() {
  const product = await startProduct()
  const postgres = await startPostgres({ folder: join(product.dataDir, 'postgres') })
  const databaseUrl = databaseUrlOf(postgres)
  const pool = openPool(databaseUrl, createLog('error', 'bench'), 2)
  const more: ChildProcess[] = []
  try {
    const own = { url: product.url, pid: await childWith(product.process.pid ?? 0, /main\.js/) }
    const servers: Server[] = [own]
    while (servers.length < SERVERS) servers.push(await startBeside(product, databaseUrl, more))
    const members = await makeMembers(servers, openDb(pool), STORED > 0 ? 2 : CONNECTIONS)
    if (STORED > 0) await measureStored(members, { pool, stored: STORED })
    else await measureLive(servers, members)
  } finally {
    await endAll(more)
    await pool.end()
    await product.stop()
    await removeData(product.dataDir)
  }
}

/** One more server process on the product's database, as the product starts its own. */
async function startBeside({ dataDir }: Product, databaseUrl: string, more: ChildProcess[]): Promise<Server> {
  const env = { ...process.env, DATA_DIR: dataDir, DATABASE_URL: databaseUrl, MODE: 'trial' }
  const child = fork(new URL('../server/bundle/main.js', import.meta.url), {
    env: { ...env, PORT: '0', HOST: '127.0.0.1' },
    // Without what loads the bench itself.
    execArgv: [],
  })
  more.push(child)
  const [said] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`a further server ended with ${code}`))),
  ])
  return { url: `http://127.0.0.1:${said.port}`, pid: child.pid ?? 0 }
}

async function endAll(children: readonly ChildProcess[]): Promise<void> {
  const running = children.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)
  await Promise.all(
    running.map((child) => {
      child.kill('SIGTERM')
      return once(child, 'exit')
    }),
  )
}

/** Signed in already, with accounts that are old enough to write much; each group has members at every server. */
async function makeMembers(servers: readonly Server[], db: ReturnType<typeof openDb>, count: number) {
  const createdAt = new Date(Date.now() - 30 * 86_400_000)
  const now = new Date()
  const clients: Client[] = []
  for (let number = 0; number < count; number += 1) {
    const id = `bench-member-${number}`
    const token = `token-of-bench-member-${number}`
    const member = { id, passwordHash: '-', nickName: `Member ${number}`, vipLevel: 4, createdAt }
    await db.insert(users).values({ ...member, emailKey: `${id}@bench.test`, email: `${id}@bench.test` })
    await db.insert(sessions).values({
      ...{ id: `bench-session-${number}`, userId: id, address: '127.0.0.1', startedAt: now, usedAt: now },
      tokenHash: createHash('sha256').update(token).digest(),
    })
    const headers = { 'content-type': 'application/json', token, userId: id }
    clients.push(connect(serverOf(servers, Math.floor(number / GROUPS)).url, headers))
  }
  return clients
}

/** They take turns. */
function serverOf(servers: readonly Server[], turn: number): Server {
  const server = servers[turn % servers.length]
  if (!server) throw new Error('no server was started')
  return server
}

async function measureLive(servers: readonly Server[], members: readonly Client[]) {
  const groups: string[] = []
  const chatOf = new Map<Client, string>()
  for (const [index, client] of members.entries()) {
    const place = index % GROUPS
    const number = groups[place]
    const group = number
      ? await client.call('social/joinGroup', { number })
      : await client.call('social/createGroup', { name: `Group ${place}` })
    groups[place] = group.number
    chatOf.set(client, group.chatId)
  }
  const sent: Sent = new Map()
  const readers: Reader[] = []
  for (const client of members)
    readers.push(await openReader(client, { chatId: chatOf.get(client) ?? '', servers, sent }))
  const before = servers.map(({ pid }) => residentBytes(pid))
  const usedMs = () => servers.reduce((sum, { pid }) => sum + processorMs(pid), 0)
  const usedBefore = usedMs()
  const cutting = cutSome(readers)
  const errors = await sendAll(members, chatOf, sent)
  await cutting
  const latest = new Map<string, number>()
  for (const reader of readers)
    latest.set(reader.chatId, Math.max(latest.get(reader.chatId) ?? 0, await reader.newest()))
  const end = performance.now() + LAST_MS
  const isBehind = (reader: Reader) => reader.last() < (latest.get(reader.chatId) ?? 0)
  while (readers.some(isBehind) && performance.now() < end) await wait(100)
  const growthBytes = Math.max(...servers.map(({ pid }, index) => residentBytes(pid) - (before[index] ?? 0)))
  for (const reader of readers) reader.close()
  const messageMs = (usedMs() - usedBefore) / sent.size
  report(readers, { isBehind, errors, growthBytes, messageMs, count: sent.size })
}

type Reading = { chatId: string; servers: readonly Server[]; sent: Sent }

/** As a page does it: news in their order; where one is missing, or the connection was away, it asks for what came after. */
async function openReader(at: Client, { chatId, servers, sent }: Reading) {
  let client = at
  const first = await client.call('social/messages', { chatId })
  let last = first.messages.at(-1)?.id ?? 0
  let isAsking = false
  let isStale = false
  let socket: Awaited<ReturnType<typeof openLiveSocket>> | null = null
  const ids = [last]
  const latencies: { dueAt: number; ms: number }[] = []
  const take = (id: number) => {
    if (id <= last) return
    ids.push(id)
    last = id
  }
  const takeLater = async () => {
    for (let isMore = true; isMore; ) {
      const page = await client.call('social/messages', { chatId, after: last })
      for (const { id } of page.messages) take(id)
      isMore = page.hasLater
    }
  }
  const catchUp = async () => {
    isStale = true
    if (isAsking) return
    isAsking = true
    while (isStale) {
      isStale = false
      await takeLater().catch(async () => {
        isStale = true
        await wait(AGAIN_MS)
      })
    }
    isAsking = false
  }
  const hear = ({ type, data }: LiveEvent) => {
    if (type !== 'message') return
    // A page holds it against its schema; here 500 readers share the servers' processors.
    const { messageId, message } = data as ChatNews
    const due = sent.get(message?.requestId ?? '')
    if (due !== undefined) latencies.push({ dueAt: due, ms: performance.now() - due })
    if (messageId === last + 1 && !isAsking) take(messageId)
    else if (messageId > last) void catchUp()
  }
  const open = async () => {
    const { ticket } = await client.call('user/ticket', {})
    const opened = await openLiveSocket(client.url, ticket)
    socket = opened
    opened.on('event', hear)
    const answer = await opened.emitWithAck('watch', { kind: 'chat', id: chatId, after: 0 })
    if (!answer.ok) throw new Error(`watch: ${JSON.stringify(answer)}`)
    await catchUp()
  }
  await open()
  return {
    ...{ chatId, ids, latencies },
    last: () => last,
    newest: async () => (await client.call('social/messages', { chatId })).messages.at(-1)?.id ?? 0,
    async cut(awayMs: number) {
      socket?.disconnect()
      await wait(awayMs)
      const place = servers.findIndex(({ url }) => url === client.url)
      client = connect(serverOf(servers, place + 1).url, client.headers)
      // As a page does it, which tries until it is back.
      while (await open().then(never, always)) await wait(AGAIN_MS)
    },
    close: () => socket?.disconnect(),
  }
}

async function cutSome(readers: readonly Reader[]): Promise<void> {
  // Of every group as many: members join them in turn.
  const every = Math.round(1 / Math.max(CUT, 1e-9))
  const chosen = readers.filter((_, index) => Math.floor(index / GROUPS) % every === 0)
  await Promise.all(
    (CUT > 0 ? chosen : []).map(async (reader) => {
      await wait(Math.random() * SECONDS * 1000)
      await reader.cut(Math.random() * AWAY_MS)
    }),
  )
}

/** Leaves at fixed times, each member in turn; what failed is told at the end. */
async function sendAll(members: readonly Client[], chatOf: Map<Client, string>, sent: Sent) {
  const errors: string[] = []
  const open = new Set<Promise<void>>()
  const start = performance.now() + 50
  const count = Math.round(SECONDS * RATE)
  for (let index = 0; index < count; index += 1) {
    const due = start + (index * 1000) / RATE
    const early = due - performance.now()
    if (early > 1) await wait(early)
    const client = members[index % members.length]
    if (!client) break
    const requestId = `bench-request-${index}`
    sent.set(requestId, due)
    const body = { chatId: chatOf.get(client) ?? '', requestId, text: `Message ${index} of the bench` }
    const one: Promise<void> = client
      .call('social/send', body)
      .then(
        () => undefined,
        (error: unknown) => void errors.push(String(error)),
      )
      .then(() => void open.delete(one))
    open.add(one)
  }
  await Promise.race([Promise.all(open), wait(LAST_MS, undefined, { ref: false })])
  return errors
}

/** Of one process, as Linux tells it. */
function residentBytes(pid: number): number {
  const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) * 1024
}

/** Of one process until now; Linux counts in hundredths of a second. */
function processorMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11)
  return (Number(user) + Number(system)) * 10
}

type Outcome = {
  isBehind(reader: Reader): boolean
  errors: string[]
  growthBytes: number
  /** Of the servers' processor time for each message, with all of its readers. */
  messageMs: number
  count: number
}

function report(
  readers: readonly Reader[],
  { isBehind, errors, growthBytes, messageMs, count }: Outcome,
): void {
  const all = readers.flatMap(({ latencies }) => latencies)
  const sorted = all.map(({ ms }) => ms).sort((one, other) => one - other)
  const at = (share: number, of = sorted) => of[Math.ceil(of.length * share) - 1] ?? Number.NaN
  const isWhole = ({ ids }: Reader) => ids.every((id, index) => id === (ids[0] ?? 0) + index)
  const behind = readers.filter(isBehind).length
  const broken = readers.filter((reader) => !isWhole(reader)).length
  const isWell =
    behind + broken + errors.length === 0 && at(0.95) <= GOALS.p95 && growthBytes <= GOALS.growthBytes
  if (!isWell) process.exitCode = 1
  console.log(
    `\n${readers.length} connections in ${GROUPS} groups at ${SERVERS} server${SERVERS > 1 ? 's' : ''}, ${RATE} messages a second for ${SECONDS} s, ${availableParallelism()} cores, load ${loadavg()[0]?.toFixed(1)}`,
  )
  console.log(
    [
      `${count} sent, ${errors.length} refused; ${sorted.length} arrived live;`,
      `${behind} readers miss messages, ${broken} have them twice or out of order;`,
      `p50 ${at(0.5).toFixed(0)} ms, p95 ${at(0.95).toFixed(0)} (goal ${GOALS.p95}), p99 ${at(0.99).toFixed(0)};`,
      `the servers took ${messageMs.toFixed(1)} ms of processor time a message;`,
      `a server grew by at most ${(growthBytes / 1e6).toFixed(0)} MB (goal ${GOALS.growthBytes / 1e6}):`,
      isWell ? 'reached' : 'MISSED',
    ].join(' '),
  )
  console.log(
    `  p95 of each ${WINDOW_MS / 1000} s: ${windowsOf(all)
      .map((own) => at(0.95, own).toFixed(0))
      .join(' ')} ms`,
  )
  for (const text of new Set(errors)) console.log(`  ${text}`)
  const perMember = (RATE * 60) / readers.length
  if (perMember > limits.messages)
    console.log(`  Each member sends ${perMember} a minute: more than ${limits.messages} are refused.`)
}

/** The times of what was due within each while, sorted: whether it goes evenly. */
function windowsOf(all: readonly { dueAt: number; ms: number }[]): number[][] {
  const first = all.reduce((least, { dueAt }) => Math.min(least, dueAt), Number.POSITIVE_INFINITY)
  const windows: number[][] = []
  for (const { dueAt, ms } of all) {
    const place = Math.floor((dueAt - first) / WINDOW_MS)
    windows[place] ??= []
    windows[place]?.push(ms)
  }
  return windows.map((own) => own.sort((one, other) => one - other))
}

await bench()
