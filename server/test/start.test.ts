/** The product as an operator runs it: the built supervisor with its own database and processes. */
import { spawnSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { makeMeasuredPython } from './measured-python.ts'
import {
  buildProduct,
  call,
  childrenOf,
  login,
  PASSWORD,
  type Product,
  root,
  start,
  until,
} from './product.ts'

let dataDir: string
/** Beside it: in it only the product's own files are looked at. */
let pythonDir: string
let env: Record<string, string>
let running: Product | null = null
beforeAll(async () => {
  buildProduct()
  dataDir = await mkdtemp(join(tmpdir(), 'neuroloom-start-'))
  pythonDir = await mkdtemp(join(tmpdir(), 'neuroloom-python-'))
  env = { ENGINE_PYTHON: makeMeasuredPython(pythonDir) }
})
afterAll(async () => {
  await running?.stop('SIGTERM')
  for (const folder of [dataDir, pythonDir]) await rm(folder, { recursive: true, force: true })
})

/** Signing in is given few tries; who is signed in stays so over every restart. */
let session: { userId: string; token: string }
const works = async (product: Product): Promise<boolean> =>
  (await call(product, 'projects/list', {}, session)).code === 10200

test('the first start prints the way in once, and the second goes on with what there is', async () => {
  running = await start(dataDir, env)
  expect(running.output()).toContain(
    'Administrator: administrator@neuroloom.local, with the password in ADMIN_PASSWORD',
  )
  expect(running.output()).not.toContain(PASSWORD)
  expect(running.output()).toMatch(/^TRIAL, NOT FOR REAL DATA: .* this machine alone shows them/m)
  const { code, data } = await login(running)
  expect(code).toBe(10200)
  session = { userId: data.id, token: data.token }
  expect(await running.stop('SIGTERM')).toBe(0)
  running = await start(dataDir, env)
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
  await expect(start(dataDir, env)).rejects.toThrow('it already runs on this data folder')
  expect(running && (await works(running))).toBe(true)
})

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
  running = await start(dataDir, env)
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

test('the console names a folder that no server uses, and makes nothing in it', async () => {
  const folder = join(dataDir, 'strange')
  const { stderr, status } = spawnSync(process.execPath, [join(root, 'server/bundle/admin.js'), 'accounts'], {
    env: { PATH: process.env.PATH, DATA_DIR: folder },
    encoding: 'utf8',
    timeout: 120_000,
  })
  expect(stderr).toContain(`There is no Neuroloom in ${folder}. Set DATA_DIR`)
  expect(status).toBe(1)
  await expect(readdir(folder)).rejects.toThrow('ENOENT')
})
