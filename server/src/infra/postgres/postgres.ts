/** Runs the PostgreSQL that comes with the product, for machines without one. Also as root, also after a crash. */
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { platform } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { type Cluster, inOneLine, prepareCluster } from './cluster.ts'

export type Postgres = {
  /** Address of one of its databases. */
  url(database: string): string
  /** Whether it was found running, left by a supervisor that was killed. */
  adopted: boolean
  port: number
  pid: number
  /** Resolves when the server has ended, wanted or not. */
  ended: Promise<void>
  /** Ends it in order: open transactions are rolled back, the rest is written down. */
  stop(): Promise<void>
}

type Options = {
  /** Where the cluster lives; made at the first start. */
  folder: string
  settings?: Record<string, string>
  /** Taken if it is free: a server that comes back is found where it was. */
  port?: number
}

const READY_MS = 60_000
const STOP_MS = 10_000
const POLL_MS = 50
/** Processes of a killed server hold its memory for a moment; its port may be taken between choosing and using it. */
const TRIES = 5

const ownSettings: Record<string, string> = {
  listen_addresses: '127.0.0.1',
  // Socket paths are limited to 107 bytes, data folders are not.
  unix_socket_directories: '',
  logging_collector: 'on',
  log_directory: 'log',
  log_filename: 'postgres-%a.log',
  log_rotation_age: '1440',
  log_truncate_on_rotation: 'on',
}

export async function startPostgres({ folder, settings = {}, port }: Options): Promise<Postgres> {
  const cluster = await prepareCluster(folder)
  const left = await findLeft(folder)
  if (left && (await answers(urlOf(cluster, left.port, 'postgres'), folder))) return adopt(cluster, left)
  if (left) await endLeft(left.pid, folder)
  for (let tries = 1; ; tries += 1) {
    try {
      return await start(cluster, { ...settings, port: String(port ?? (await freePort())) })
    } catch (error) {
      if (tries === TRIES) throw error
      await wait(500)
    }
  }
}

async function start(cluster: Cluster, settings: Record<string, string>): Promise<Postgres> {
  const port = Number(settings.port)
  const flags = Object.entries({ ...ownSettings, ...settings }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ])
  const { command, args, options } = cluster.command('postgres', ['-D', cluster.folder, ...flags])
  const child = spawn(command, args, {
    ...options,
    stdio: ['ignore', 'ignore', 'pipe'],
    // Its own group: Ctrl-C reaches the supervisor alone, which then stops things in order.
    detached: true,
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  await ready(child, urlOf(cluster, port, 'postgres'), cluster.folder)
  const pid = child.pid
  if (pid === undefined) throw new Error('PostgreSQL has no process id')
  return {
    url: (database) => urlOf(cluster, port, database),
    adopted: false,
    port,
    pid,
    ended,
    stop: () => stop(pid),
  }
}

async function ready(child: ChildProcess, url: string, folder: string): Promise<void> {
  let complaint = ''
  let over = false
  child.stderr?.on('data', (chunk: Buffer) => {
    complaint = (complaint + chunk.toString()).slice(-2000)
  })
  child.once('error', (error) => {
    complaint += error.message
    over = true
  })
  child.once('close', () => {
    over = true
  })
  for (const until = Date.now() + READY_MS; Date.now() < until && !over; await wait(POLL_MS)) {
    if (await answers(url, folder)) return
  }
  child.kill('SIGQUIT')
  throw new Error(`PostgreSQL did not start in ${folder}: ${await reasonOf(complaint, folder)}`)
}

/** Once its log is open, PostgreSQL complains there and no longer to us. */
async function reasonOf(complaint: string, folder: string): Promise<string> {
  if (!complaint.includes('redirecting log output')) return inOneLine(complaint) || 'no reason given'
  const log = join(folder, 'log')
  const names = await readdir(log).catch(() => [])
  const times = await Promise.all(names.map(async (name) => (await stat(join(log, name))).mtimeMs))
  const newest = names[times.indexOf(Math.max(...times))] ?? ''
  const lines = (await readFile(join(log, newest), 'utf8').catch(() => '')).split('\n')
  return lines.findLast((line) => /(FATAL|PANIC): /.test(line)) ?? `see ${log}`
}

function adopt(cluster: Cluster, { pid, port }: Left): Postgres {
  return {
    url: (database) => urlOf(cluster, port, database),
    adopted: true,
    port,
    pid,
    ended: gone(pid),
    stop: () => stop(pid),
  }
}

/** Waits for the process itself: a server that was adopted is no child of ours and reports nothing. */
async function stop(pid: number): Promise<void> {
  signal(pid, 'SIGINT')
  for (const until = Date.now() + STOP_MS; Date.now() < until; await wait(POLL_MS)) {
    if (!isAlive(pid)) return
  }
  signal(pid, 'SIGQUIT')
  while (isAlive(pid)) await wait(POLL_MS)
}

type Left = { pid: number; port: number }

/** What the last server wrote about itself, if that process still runs. */
async function findLeft(folder: string): Promise<Left | null> {
  const lines = (await readFile(join(folder, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')
  const [pid, port] = [Number(lines[0]), Number(lines[3])]
  return pid > 1 && isAlive(pid) ? { pid, port } : null
}

/** A left server that does not answer. Its number may by now be another program's, which is left alone. */
async function endLeft(pid: number, folder: string): Promise<void> {
  const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  if (commandLine.includes(folder)) await stop(pid)
  else if (commandLine !== '') await rm(join(folder, 'postmaster.pid'), { force: true })
}

/** Whether our cluster answers there, and not another server on a port used again. */
async function answers(url: string, folder: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000, query_timeout: 2000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ data_directory: string }>('show data_directory')
    return rows[0]?.data_directory === folder
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Looks now and then, without keeping our own process alive for it. */
async function gone(pid: number): Promise<void> {
  while (isAlive(pid)) await wait(200, undefined, { ref: false })
}

/** A dead process that nobody has collected yet (in a container without an init) still has its number. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false
  }
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ')
  } catch {
    return platform() !== 'linux'
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  if (isAlive(pid)) process.kill(pid, name)
}

const urlOf = ({ user, password }: Cluster, port: number, database: string): string =>
  `postgresql://${user}:${password}@127.0.0.1:${port}/${database}`

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      const port = typeof address === 'object' && address ? address.port : 0
      probe.close(() => resolve(port))
    })
  })
