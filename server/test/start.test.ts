/** The product as an operator runs it: the built supervisor with its own database and processes. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))
const PASSWORD = 'first password 1'

let dataDir: string
let running: Product | null = null
beforeAll(async () => {
  const built = spawnSync('npx', ['tsc', '-b', 'contract', 'server'], { cwd: root, encoding: 'utf8' })
  expect(built.stdout + built.stderr).toBe('')
  dataDir = await mkdtemp(join(tmpdir(), 'neuroloom-start-'))
}, 120_000)
afterAll(async () => {
  await running?.stop('SIGTERM')
  await rm(dataDir, { recursive: true, force: true })
})

type Product = {
  url: string
  output(): string
  readyMs: number
  process: ChildProcess
  stop(signal: NodeJS.Signals): Promise<number | string>
}

/** Resolves when it says that it is ready, rejects with its output when it ends before. */
async function start(env: Record<string, string> = {}): Promise<Product> {
  const began = Date.now()
  const child = spawn(process.execPath, [join(root, 'server/dist/start.js')], {
    env: {
      ...process.env,
      PORT: '0',
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      LOG_LEVEL: 'warn',
      ADMIN_PASSWORD: PASSWORD,
      // The test runner has a variable of this name, too.
      MODE: 'trial',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      const ready = /Neuroloom is ready at (\S+)/.exec(output)
      if (ready?.[1]) resolve(ready[1])
    })
    child.once('exit', (code) => reject(new Error(`Ended with ${code}: ${output}`)))
  })
  const ended = once(child, 'exit').then(([code, signal]): number | string => code ?? signal)
  return {
    url,
    output: () => output,
    readyMs: Date.now() - began,
    process: child,
    stop(signal) {
      child.kill(signal)
      return ended
    },
  }
}

async function login(product: Product): Promise<number> {
  const response = await fetch(`${product.url}/AI/api/user/login`, {
    method: 'POST',
    body: new URLSearchParams({ account: 'administrator@neuroloom.local', password: PASSWORD }),
  })
  // The envelope of every answer.
  const { code } = (await response.json()) as { code: number }
  return code
}

/** The supervisor's children by the script they run. */
async function childrenOf(pid: number | undefined, script: string): Promise<number[]> {
  const found: number[] = []
  for (const name of await readdir('/proc')) {
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '')
    const parent = Number(stat.split(') ')[1]?.split(' ')[1])
    const command = await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '')
    if (parent === pid && command.includes(script)) found.push(Number(name))
  }
  return found
}

const until = (holds: () => Promise<boolean>): Promise<boolean> =>
  vi.waitUntil(() => holds().catch(() => false), { timeout: 25_000, interval: 50 })

test('the first start prints the way in once, and the second is ready within five seconds', async () => {
  running = await start()
  expect(running.output()).toContain(`Administrator: administrator@neuroloom.local ${PASSWORD}`)
  expect(await login(running)).toBe(10200)
  const stopping = Date.now()
  expect(await running.stop('SIGTERM')).toBe(0)
  expect(Date.now() - stopping).toBeLessThan(15_000)
  running = await start()
  expect(running.output()).not.toContain('Administrator:')
  // Five seconds on a machine that does nothing else.
  const crowd = Math.max(1, (loadavg()[0] ?? 0) / availableParallelism())
  expect(running.readyMs).toBeLessThan(5000 * crowd)
  expect(await login(running)).toBe(10200)
}, 60_000)

test('a second start on the same data keeps its hands off', async () => {
  await expect(start()).rejects.toThrow('it already runs on this data folder')
  expect(running && (await login(running))).toBe(10200)
}, 30_000)

test('a killed server or job process is started again, at the same address', async () => {
  if (!running) throw new Error('Nothing runs')
  const { process: supervisor, url } = running
  for (const script of ['main.js', 'worker.js']) {
    const [pid] = await childrenOf(supervisor.pid, script)
    expect(pid, script).toBeDefined()
    process.kill(Number(pid), 'SIGKILL')
    await until(async () => {
      const now = await childrenOf(supervisor.pid, script)
      return now.length === 1 && now[0] !== pid
    })
  }
  await until(async () => (await fetch(`${url}/AI/api/setting/public`, { method: 'POST' })).ok)
  expect(await login(running)).toBe(10200)
}, 30_000)

test('after the supervisor was killed its processes end, and the next start takes over the database', async () => {
  if (!running) throw new Error('Nothing runs')
  const { pid } = running.process
  const orphans = [...(await childrenOf(pid, 'main.js')), ...(await childrenOf(pid, 'worker.js'))]
  expect(orphans).toHaveLength(2)
  await running.stop('SIGKILL')
  running = await start()
  expect(await login(running)).toBe(10200)
  await until(async () => {
    const left = await Promise.all(
      orphans.map((one) => readFile(`/proc/${one}/stat`, 'utf8').catch(() => ' Z ')),
    )
    return left.every((stat) => stat.includes(' Z '))
  })
  expect(await running.stop('SIGINT')).toBe(0)
  running = null
}, 60_000)

test('a wrong setting and a taken port end with one sentence and no restart', async () => {
  await expect(start({ PORT: 'many' })).rejects.toThrow(
    /Ended with 1: Neuroloom cannot start: Configuration: PORT/,
  )
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const address = other.address()
  const port = typeof address === 'object' ? String(address?.port) : ''
  await expect(start({ PORT: port })).rejects.toThrow('its address is taken')
  other.close()
}, 60_000)
