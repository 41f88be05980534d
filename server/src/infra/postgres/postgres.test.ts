import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Postgres, startPostgres } from './postgres.ts'

let parent: string
let folder: string
let server: Postgres | null = null
beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'neuroloom-postgres-'))
  folder = join(parent, 'cluster')
})
afterAll(async () => {
  await server?.stop()
  await rm(parent, { recursive: true, force: true })
})

async function query(postgres: Postgres, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: postgres.url('postgres') })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end().catch(() => undefined)
  }
}

test('makes a cluster at the first start, in UTF-8 with checksums, that outsiders cannot enter', async () => {
  server = await startPostgres({ folder })
  expect(server.adopted).toBe(false)
  expect(await query(server, 'show server_encoding')).toEqual([{ server_encoding: 'UTF8' }])
  expect(await query(server, 'show data_checksums')).toEqual([{ data_checksums: 'on' }])
  expect(await query(server, 'show listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }])
  const guessed = new pg.Client({ connectionString: server.url('postgres').replace(/:[^:@]+@/, ':guessed@') })
  await expect(guessed.connect()).rejects.toThrow('password authentication failed')
  await query(server, 'create table kept (n int); insert into kept values (1)')
})

test('keeps what was committed over a stop and a start', async () => {
  await server?.stop()
  server = await startPostgres({ folder })
  expect(await query(server, 'select n from kept')).toEqual([{ n: 1 }])
})

test('comes back with everything after the whole server was killed', async () => {
  if (!server) throw new Error('No server')
  const before = server
  process.kill(before.pid, 'SIGKILL')
  await before.ended
  server = await startPostgres({ folder, port: before.port })
  expect(server).toMatchObject({ adopted: false, port: before.port })
  expect(await query(server, 'select n from kept')).toEqual([{ n: 1 }])
})

test('takes over the server that a killed supervisor left behind, and can stop it', async () => {
  await server?.stop()
  const supervisor = await startSupervisor(folder)
  supervisor.kill('SIGKILL')
  await once(supervisor, 'exit')
  const pid = Number((await readFile(join(folder, 'postmaster.pid'), 'utf8')).split('\n')[0])
  server = await startPostgres({ folder })
  expect(server).toMatchObject({ adopted: true, pid })
  expect(await query(server, 'select n from kept')).toEqual([{ n: 1 }])
  const { ended } = server
  await server.stop()
  await ended
  await expect(readFile(join(folder, 'postmaster.pid'))).rejects.toThrow('ENOENT')
  server = null
})

/** Another process that starts the cluster and then does nothing. */
async function startSupervisor(cluster: string): Promise<ChildProcess> {
  const script = `
    const { runnerImport } = await import('vite')
    const { module } = await runnerImport(process.argv[1])
    await module.startPostgres({ folder: process.argv[2] })
    console.log('started')
    setInterval(() => {}, 1000)`
  const source = join(import.meta.dirname, 'postgres.ts')
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, source, cluster], {
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: import.meta.dirname,
  })
  await once(child.stdout, 'data')
  return child
}
