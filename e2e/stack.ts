/** Starts and stops the real product for browser tests and benches: own port, own data folder, nothing faked. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

export type Login = {
  account: string
  password: string
  /** It was drawn for the first administrator: the first sign-in changes it. */
  isFirst?: boolean
}
export type Product = {
  url: string
  dataDir: string
  process: ChildProcess
  /** Milliseconds from spawn to the readiness line. */
  readyMs: number
  administrator: Login | null
  member: Login | null
  output: () => string
  stop: () => Promise<void>
}

type Left = Pick<Product, 'dataDir' | 'administrator' | 'member'> & {
  /** The engine's, with what the first start learned of the machine. */
  python: string
}
const LEFT = 'FIRST_START_LEFT'

/** What a first start left behind, for all products of a test run to begin with; handed to its processes. */
export const leave = (left: Left) => {
  process.env[LEFT] = JSON.stringify(left)
}

/** For what trains to an end or walks all pages: an end for what hangs, as the room's own is for other tests. */
export const takesLong = { timeout: 1_200_000 }

/** Products that run now, for what is told of a failure. */
export const running = new Set<Product>()

/**
 * A running product with the demo member; `dataDir` starts an earlier one again, `python` is the engine's. In a test run it
 * begins with a copy of what the first start left, otherwise in an empty folder.
 */
export async function startProduct({ dataDir = '', python = '' } = {}): Promise<Product> {
  const left: Left | null = dataDir === '' ? JSON.parse(process.env[LEFT] ?? 'null') : null
  if (dataDir === '') dataDir = mkdtempSync(join(tmpdir(), 'neuroloom-'))
  // With owners and modes, which PostgreSQL looks at.
  if (left) execFileSync('cp', ['-a', `${left.dataDir}/.`, dataDir])
  const start = performance.now()
  // What the first start found to be there and built is there.
  const program = join(root, left ? 'server/bundle/start.js' : 'tools/start.mjs')
  if (left) python = left.python
  const child = spawn(process.execPath, [program, '--demo'], {
    // Any free port, which the product itself keeps: one looked for before may be another's by then.
    env: {
      ...process.env,
      ...{ DATA_DIR: dataDir, PORT: '0', HOST: '127.0.0.1', MODE: 'trial' },
      ...(python && { ENGINE_PYTHON: python }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', (data) => (output += data))
  child.stderr.on('data', (data) => (output += data))
  const port = await readiness(child, () => output)
  const product: Product = {
    url: `http://127.0.0.1:${port}`,
    dataDir,
    process: child,
    readyMs: performance.now() - start,
    administrator: first(left?.administrator ?? login(output, 'Administrator')),
    member: left?.member ?? login(output, 'Demo member'),
    output: () => output,
    stop: () => stop(child).finally(() => running.delete(product)),
  }
  running.add(product)
  return product
}

/** Removes what a product left behind. */
export const removeData = (dataDir: string) =>
  rm(dataDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

/** The children of a process, by command line: how tests find the worker or the server to kill. */
export async function childWith(parent: number, pattern: RegExp): Promise<number> {
  const { readdir, readFile } = await import('node:fs/promises')
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '')
    const command = await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '')
    const parentId = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
    if (parentId === parent && pattern.test(command)) return Number(name)
  }
  throw new Error(`no child of ${parent} matches ${pattern}`)
}

/** The port that it says it is ready at. */
function readiness(child: ChildProcess, output: () => string): Promise<number> {
  return new Promise((resolve, reject) => {
    const limit = setTimeout(() => reject(new Error(`not ready after 240 s:\n${output()}`)), 240_000)
    const timer = setInterval(() => {
      const ready = /Neuroloom is ready at \S+:(\d+)\s/.exec(output())
      if (!ready) return
      clearInterval(timer)
      clearTimeout(limit)
      resolve(Number(ready[1]))
    }, 20)
    child.once('exit', (code) => {
      clearInterval(timer)
      clearTimeout(limit)
      reject(new Error(`the product ended with ${code}:\n${output()}`))
    })
  })
}

function login(output: string, title: string): Login | null {
  const match = new RegExp(`${title}: (\\S+) (\\S+)`).exec(output)
  return match?.[1] && match[2] ? { account: match[1], password: match[2] } : null
}

const first = (administrator: Login | null): Login | null =>
  administrator && { ...administrator, isFirst: true }

function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    const limit = setTimeout(() => child.kill('SIGKILL'), 30_000)
    child.once('exit', () => {
      clearTimeout(limit)
      resolve()
    })
    child.kill('SIGTERM')
  })
}
