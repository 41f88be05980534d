/** A database that is killed or cannot start, newer data, a wrong setting, another checkout: the product as an operator runs it. */
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeDatabase } from './harness.ts'
import { buildProduct, call, childrenOf, login, type Product, root, start, until } from './product.ts'

let dataDir: string
beforeAll(async () => {
  buildProduct()
  dataDir = await mkdtemp(join(tmpdir(), 'neuroloom-start-'))
})
afterAll(async () => {
  await rm(dataDir, { recursive: true, force: true })
})

describe('a database', () => {
  let product: Product
  /** Signing in is given few tries; who is signed in stays so over every restart. */
  let session: { userId: string; token: string }
  beforeAll(async () => {
    product = await start(dataDir)
    const { data } = await login(product)
    session = { userId: data.id, token: data.token }
  })
  afterAll(() => product.stop('SIGTERM'))
  const works = async (): Promise<boolean> =>
    (await call(product, 'projects/list', {}, session)).code === 10200

  test('that is killed under an open transaction is started again, the server beside it goes on', async () => {
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
    await until(() => works())
    expect(await childrenOf(pid, 'main.js')).toEqual(before)
  })

  test('that cannot start is tried until it can, and the server answers meanwhile', async () => {
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
    await until(() => works())
    expect(await childrenOf(pid, 'main.js')).toEqual(before)
  })
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
  const ended = spawnSync(process.execPath, [join(root, 'server/bundle', script), ...words], {
    env: {
      ...process.env,
      DATABASE_URL: database.url,
      DATA_DIR: await makeServerFolder('newer'),
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

/** As a server leaves it at its first start. */
async function makeServerFolder(name: string): Promise<string> {
  const folder = join(dataDir, name)
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'secret'), randomBytes(64))
  return folder
}

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
    const { stdout } = spawnSync(process.execPath, [join(root, 'server/bundle/admin.js'), 'clock', wish], {
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

test('a wrong setting and a taken port end with one sentence and no restart', async () => {
  await expect(start(dataDir, { PORT: 'many' })).rejects.toThrow(
    /Ended with 1: Neuroloom cannot start: Configuration: PORT/,
  )
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const address = other.address()
  const port = typeof address === 'object' ? String(address?.port) : ''
  await expect(start(dataDir, { PORT: port })).rejects.toThrow('its address is taken')
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
  const product = await start(dataDir, env, { checkout, ...(uid === undefined ? {} : { uid }) })
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
    const refused = start(dataDir, { DATA_DIR: join(checkout, 'other') }, { checkout, before })
    await expect(refused).rejects.toThrow(
      /cannot start: PostgreSQL cannot make its folder \S+: setpriv: [^;]+: Operation not permitted\n$/,
    )
  } finally {
    await rm(checkout, { recursive: true, force: true })
    await rm(elsewhere, { recursive: true, force: true })
  }
})
