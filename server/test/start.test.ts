/** The product as an operator runs it: the built supervisor with its own database and processes. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { makeDatabase } from './harness.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const PASSWORD = 'first password 1'

let dataDir: string
let running: Product | null = null
beforeAll(async () => {
  const built = spawnSync('npx', ['tsc', '-b', 'contract', 'server'], { cwd: root, encoding: 'utf8' })
  expect(built.stdout + built.stderr).toBe('')
  dataDir = await mkdtemp(join(tmpdir(), 'neuroloom-start-'))
})
afterAll(async () => {
  await running?.stop('SIGTERM')
  await rm(dataDir, { recursive: true, force: true })
})

type Product = {
  url: string
  output(): string
  process: ChildProcess
  stop(signal: NodeJS.Signals): Promise<number | string>
}

type Start = { checkout?: string; uid?: number; before?: string[] }

/** Resolves when it says that it is ready, rejects with its output when it ends before. */
async function start(env: Record<string, string> = {}, how: Start = {}): Promise<Product> {
  const { checkout = root, uid, before = [] } = how
  const [command, ...args] = [...before, process.execPath, join(checkout, 'server/dist/start.js')] as const
  const child = spawn(command, args, {
    ...(uid === undefined ? {} : { uid, gid: uid }),
    cwd: checkout,
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
    process: child,
    stop(signal) {
      child.kill(signal)
      return ended
    },
  }
}

type Answer = { code: number; data: { id: string; token: string } }

async function call(product: Product, path: string, body: object, headers = {}): Promise<Answer> {
  const response = await fetch(`${product.url}/AI/api/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  // The envelope of every answer; tests look at its code first.
  return (await response.json()) as Answer
}

const login = (product: Product): Promise<Answer> =>
  call(product, 'user/login', { account: 'administrator@neuroloom.local', password: PASSWORD })

/** Signing in is given few tries; who is signed in stays so over every restart. */
let session: { userId: string; token: string }
const works = async (product: Product): Promise<boolean> =>
  (await call(product, 'projects/list', {}, session)).code === 10200

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
  vi.waitUntil(() => holds().catch(() => false), { timeout: 120_000, interval: 50 })

test('the first start prints the way in once, and the second goes on with what there is', async () => {
  running = await start()
  expect(running.output()).toContain(
    'Administrator: administrator@neuroloom.local, with the password in ADMIN_PASSWORD',
  )
  expect(running.output()).not.toContain(PASSWORD)
  expect(running.output()).toMatch(/^TRIAL, NOT FOR REAL DATA: .* this machine alone shows them/m)
  const { code, data } = await login(running)
  expect(code).toBe(10200)
  session = { userId: data.id, token: data.token }
  expect(await running.stop('SIGTERM')).toBe(0)
  running = await start()
  expect(running.output()).not.toContain('Administrator:')
  expect(await works(running)).toBe(true)
})

test('nothing in the data folder is open to other users of the machine', async () => {
  const entries = await readdir(dataDir, { recursive: true })
  const open: string[] = []
  for (const name of entries) {
    // PostgreSQL removes files of its own meanwhile.
    const mode = (await stat(join(dataDir, name)).catch(() => null))?.mode ?? 0
    if ((mode & 0o077) !== 0) open.push(name)
  }
  expect(entries.length).toBeGreaterThan(100)
  expect(open).toEqual([])
  // Of the folder itself the group may be PostgreSQL's, to pass through.
  expect((await stat(dataDir)).mode & 0o067).toBe(0)
})

test('a second start on the same data keeps its hands off', async () => {
  await expect(start()).rejects.toThrow('it already runs on this data folder')
  expect(running && (await works(running))).toBe(true)
}, 30_000)

test('a killed server or job process is started again, at the same address', async () => {
  if (!running) throw new Error('Nothing runs')
  const product = running
  const { process: supervisor } = product
  for (const script of ['main.js', 'worker.js']) {
    const [pid] = await childrenOf(supervisor.pid, script)
    expect(pid, script).toBeDefined()
    process.kill(Number(pid), 'SIGKILL')
    await until(async () => {
      const now = await childrenOf(supervisor.pid, script)
      return now.length === 1 && now[0] !== pid
    })
  }
  await until(() => works(product))
}, 30_000)

test('the database killed under an open transaction is started again, the server beside it goes on', async () => {
  if (!running) throw new Error('Nothing runs')
  const product = running
  const { pid } = product.process
  const before = await childrenOf(pid, 'main.js')
  const [postmaster] = await childrenOf(pid, 'postgres')
  const password = (await readFile(join(dataDir, 'postgres.password'), 'utf8')).trim()
  const port = (await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[3]
  const locker = new pg.Client(`postgresql://neuroloom:${password}@127.0.0.1:${port}/neuroloom`)
  locker.on('error', () => undefined)
  await locker.connect()
  await locker.query('begin; lock table sessions')
  const caught = login(product)
  await until(async () => {
    const { rows } = await locker.query('select 1 from pg_locks where not granted')
    return rows.length > 0
  })
  process.kill(Number(postmaster), 'SIGKILL')
  // Busy: to be tried again.
  expect(await caught).toMatchObject({ code: 10503 })
  await until(() => works(product))
  expect(await childrenOf(pid, 'main.js')).toEqual(before)
}, 30_000)

test('a database that cannot start is tried until it can, and the server answers meanwhile', async () => {
  if (!running) throw new Error('Nothing runs')
  const product = running
  const { pid } = product.process
  const before = await childrenOf(pid, 'main.js')
  const [postmaster] = await childrenOf(pid, 'postgres')
  const settings = join(dataDir, 'postgres', 'postgresql.auto.conf')
  const sound = await readFile(settings, 'utf8')
  await writeFile(settings, `${sound}shared_buffers = many\n`)
  process.kill(Number(postmaster), 'SIGKILL')
  await until(async () => /does not start, and is tried again: .*shared_buffers/.test(product.output()))
  await until(async () => (await fetch(`${product.url}/healthz`)).status === 503)
  await writeFile(settings, sound)
  await until(() => works(product))
  expect(await childrenOf(pid, 'main.js')).toEqual(before)
})

test('after the supervisor was killed its processes end, and the next start takes over the database', async () => {
  if (!running) throw new Error('Nothing runs')
  const { pid } = running.process
  // The one for jobs may just be on its way back from the test before.
  const orphans = await vi.waitUntil(
    async () => {
      const found = [...(await childrenOf(pid, 'main.js')), ...(await childrenOf(pid, 'worker.js'))]
      return found.length === 2 && found
    },
    { timeout: 120_000, interval: 50 },
  )
  await running.stop('SIGKILL')
  running = await start()
  expect(await works(running)).toBe(true)
  await until(async () => {
    const left = await Promise.all(
      orphans.map((one) => readFile(`/proc/${one}/stat`, 'utf8').catch(() => ' Z ')),
    )
    return left.every((stat) => stat.includes(' Z '))
  })
  expect(await running.stop('SIGINT')).toBe(0)
  running = null
})

test.each([
  ['main.js', []],
  ['worker.js', []],
  ['admin.js', ['accounts']],
])('%s does not open the database of a newer version', async (script, words) => {
  const database = await makeDatabase()
  const client = new pg.Client(database.url)
  await client.connect()
  await client.query("insert into migrations (name) values ('999_later.sql')")
  await client.end()
  const folder = await makeServerFolder('newer')
  const ended = spawnSync(process.execPath, [join(root, 'server/dist', script), ...words], {
    env: {
      ...process.env,
      DATABASE_URL: database.url,
      DATA_DIR: folder,
      PORT: '0',
      MODE: 'trial',
    },
    encoding: 'utf8',
    timeout: 120_000,
  })
  await database.drop()
  expect(ended.stdout + ended.stderr).toContain('written by a newer Neuroloom (999_later.sql)')
  expect(ended.status).toBe(1)
})

test('the console says that the clock jumped, and takes the word that it is right', async () => {
  const database = await makeDatabase()
  const client = new pg.Client(database.url)
  await client.connect()
  await client.query("update clock set newest = now() - interval '3 days'")
  await client.end()
  const folder = await makeServerFolder('clock')
  const clock = (wish: string): string => {
    const env = {
      ...process.env,
      DATABASE_URL: database.url,
      DATA_DIR: folder,
      MODE: 'trial',
    }
    const { stdout } = spawnSync(process.execPath, [join(root, 'server/dist/admin.js'), 'clock', wish], {
      env,
      encoding: 'utf8',
      timeout: 120_000,
    })
    return stdout
  }
  expect(clock('show')).toContain('It jumped ahead: nothing is deleted by its age.')
  expect(clock('confirm')).toContain('Nothing is in doubt.')
  expect(clock('show')).toContain('Nothing is in doubt.')
  await database.drop()
})

test('the console names a folder that no server uses, and makes nothing in it', async () => {
  const folder = join(dataDir, 'strange')
  const { stderr, status } = spawnSync(process.execPath, [join(root, 'server/dist/admin.js'), 'accounts'], {
    env: { PATH: process.env.PATH, DATA_DIR: folder },
    encoding: 'utf8',
    timeout: 120_000,
  })
  expect(stderr).toContain(`There is no Neuroloom in ${folder}. Set DATA_DIR`)
  expect(status).toBe(1)
  await expect(readdir(folder)).rejects.toThrow('ENOENT')
})

/** As a server leaves it at its first start. */
async function makeServerFolder(name: string): Promise<string> {
  const folder = join(dataDir, name)
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'secret'), randomBytes(64))
  return folder
}

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
})

const NOBODY = 65_534
const isRoot = process.getuid?.() === 0
/** Another checkout, without what this one has gathered: neither data nor caches. */
async function makeCheckout(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'neuroloom-checkout-'))
  const left = ['.git', '.cache', '.venv', 'data']
  const paths = (await readdir(root)).filter((name) => !left.includes(name)).map((name) => join(root, name))
  // Links cost nothing; where the other folder is on another disk, copies it is.
  const copied = [['-al'], ['-a']].some(
    (how) => spawnSync('cp', [...how, ...paths, folder], { stdio: 'ignore' }).status === 0,
  )
  expect(copied).toBe(true)
  return folder
}

async function starts(checkout: string, folder: string, uid?: number): Promise<void> {
  const env = { DATA_DIR: folder, LOG_LEVEL: 'silent' }
  const product = await start(env, { checkout, ...(uid === undefined ? {} : { uid }) })
  expect(await login(product)).toMatchObject({ code: 10200 })
  expect(await product.stop('SIGTERM')).toBe(0)
}

test('a checkout of its own starts as an ordinary user and, in a folder closed to others, as root', async ({
  skip,
}) => {
  skip(!isRoot, 'Only root can become another user; as an ordinary one all tests of this file run already.')
  const checkout = await makeCheckout()
  const elsewhere = await mkdtemp(join(tmpdir(), 'neuroloom-elsewhere-'))
  try {
    await chmod(checkout, 0o755)
    await chown(elsewhere, NOBODY, NOBODY)
    const reach = spawnSync(process.execPath, ['--version'], { uid: NOBODY, cwd: checkout })
    if (reach.status === 0) await starts(checkout, elsewhere, NOBODY)
    else
      process.stdout.write('Ordinary users cannot reach Node.js or the checkout here: only root was tried.\n')
    await chmod(checkout, 0o700)
    // The first start makes the data, the second one finds them as another user's.
    for (const _ of ['first', 'second']) await starts(checkout, join(checkout, 'data'))
    // The programs in the closed folder; the data outside, as another user made them.
    await starts(checkout, elsewhere)
    const before = ['setpriv', '--bounding-set=-setpcap']
    const refused = start({ DATA_DIR: join(checkout, 'other') }, { checkout, before })
    await expect(refused).rejects.toThrow(
      /cannot start: PostgreSQL cannot make its folder \S+: setpriv: [^;]+: Operation not permitted\n$/,
    )
  } finally {
    await rm(checkout, { recursive: true, force: true })
    await rm(elsewhere, { recursive: true, force: true })
  }
})
