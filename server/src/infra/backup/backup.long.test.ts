/** Backups and restores that are killed, and a training that goes on where it was restored. */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bytesOf, makeEmptyInstallation, rowsOf } from '../../../test/backup.ts'
import { crashStage, hyper, isPast, weightsOf } from '../../../test/crash-runs.ts'
import { makeServer, type Session, type TestServer } from '../../../test/harness.ts'
import { programOf } from '../../../test/program.ts'
import { hasEnded, startQuick, until } from '../../../test/training.ts'
import { upload } from '../../../test/uploads.ts'
import { startWorker } from '../../../test/worker.ts'
import { makeBackup } from './backup.ts'
import { readManifest } from './folder.ts'
import { restore } from './restore.ts'
import { verifyBackup } from './verify.ts'

const KILLS = 10

type Installation = { dataDir: string; databaseUrl: string }

function begin({ dataDir, databaseUrl }: Installation, ...words: string[]): ChildProcess {
  const { script, execArgv } = programOf('admin')
  const env = { PATH: process.env.PATH, DATABASE_URL: databaseUrl, DATA_DIR: dataDir }
  return spawn(process.execPath, [...execArgv, script, ...words], { env, stdio: 'ignore' })
}

/** Kills the program after a part of the time that it took undisturbed. */
async function killAt(program: ChildProcess, ms: number): Promise<void> {
  const ended = once(program, 'exit')
  // habit: the moments of the kills are spread over the time of the whole
  await Promise.race([wait(ms), ended])
  program.kill('SIGKILL')
  await ended
}

async function timeOf(program: ChildProcess): Promise<number> {
  const start = performance.now()
  const [code] = await once(program, 'exit')
  expect(code).toBe(0)
  return performance.now() - start
}

describe('backups', () => {
  let server: TestServer
  let member: Session
  let folder: string
  let source: Installation
  beforeAll(async () => {
    server = await makeServer()
    member = await server.signUp({ vipSuper: 1 })
    source = { dataDir: server.ctx.config.dataDir, databaseUrl: server.ctx.config.databaseUrl ?? '' }
    folder = await mkdtemp(join(tmpdir(), 'neuroloom-backup-'))
    await put('first', 300)
  })
  afterAll(async () => {
    await server.close()
    await rm(folder, { recursive: true, force: true })
  })
  const put = (name: string, count: number) =>
    upload(server, member, {
      files: Array.from({ length: count }, (_, index) => ({
        path: `${name}/${index}`,
        bytes: randomBytes(20_000),
      })),
    })

  it('that are killed leave the backup of before or the new one, whole', async () => {
    const ms = await timeOf(begin(source, 'backup', folder))
    for (let kill = 1; kill <= KILLS; kill += 1) {
      const { madeAt } = await readManifest(folder)
      await put(`round ${kill}`, 60)
      const program = begin(source, 'backup', folder)
      await killAt(program, (ms * kill) / KILLS)
      const after = await readManifest(folder)
      expect(after.madeAt >= madeAt).toBe(true)
      expect(await verifyBackup(folder, after)).toEqual([])
    }
    const { manifest } = await makeBackup(server.ctx, folder)
    expect(await verifyBackup(folder, manifest)).toEqual([])
  })

  it('whose restore is killed leave an empty installation or the whole one', async () => {
    await makeBackup(server.ctx, folder)
    const expected = await rowsOf(server.ctx.pool)
    const first = await makeEmptyInstallation()
    const ms = await timeOf(begin(first, 'restore', folder))
    await first.close()
    for (let kill = 1; kill <= KILLS; kill += 1) {
      const target = await makeEmptyInstallation()
      await killAt(begin(target, 'restore', folder), (ms * kill) / KILLS)
      // The server notices that its client is gone, and takes the transaction back.
      const isEmpty = (await target.pool.query('select from users')).rowCount === 0
      if (isEmpty) await restore(target.target, folder)
      expect(await rowsOf(target.pool)).toEqual(expected)
      expect(await bytesOf(target.dataDir)).toEqual(await bytesOf(source.dataDir))
      await target.close()
    }
  })

  it('during uploads hold what was acknowledged before, and bytes for each of their rows', async () => {
    await put('before', 10)
    const acknowledged = Object.keys(await bytesOf(source.dataDir))
    let isOver = false
    const uploading = (async () => {
      for (let round = 0; !isOver; round += 1) await put(`during ${round}`, 4)
    })()
    const { manifest } = await makeBackup(server.ctx, folder)
    isOver = true
    await uploading
    expect(manifest.missing).toEqual([])
    const target = await makeEmptyInstallation()
    await restore(target.target, folder)
    const bytes = await bytesOf(target.dataDir)
    const { rows } = await target.pool.query<{ sha256: string }>(
      'select sha256 from files where sha256 is not null',
    )
    const named = new Set(rows.map(({ sha256 }) => sha256))
    for (const sha of acknowledged) expect([sha, named.has(sha)]).toEqual([sha, true])
    for (const sha of named) expect(bytes[sha]).toBe(sha)
    await target.close()
  })
})

describe('a training', () => {
  const stage = crashStage()

  it('that was under way at the backup ends with the same weights where it is restored', async () => {
    const { server, session, set } = stage
    const folder = await mkdtemp(join(tmpdir(), 'neuroloom-backup-'))
    const worker = await startWorker(server)
    const { id } = await startQuick(server, session, { set, hyper })
    await until(server, session, { id, is: isPast(6) })
    await makeBackup(server.ctx, folder)
    await worker.stop()
    const target = await makeEmptyInstallation()
    await restore(target.target, folder)
    const { dataDir, databaseUrl } = target
    const restored = await makeServer({ dataDir, databaseUrl })
    const other = await startWorker(restored)
    const run = await until(restored, session, { id, is: hasEnded })
    expect(weightsOf(run)).toBe(stage.unbroken)
    await other.stop()
    await restored.close()
    await target.close()
    await rm(folder, { recursive: true })
  })
})
