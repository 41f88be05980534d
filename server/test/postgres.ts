/** Before all tests: one PostgreSQL with a migrated template database, which every test file copies. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { prepareJobs } from '../src/infra/jobs.ts'
import { migrate } from '../src/infra/postgres/migrate.ts'
import { type Postgres, startPostgres } from '../src/infra/postgres/postgres.ts'
import { TEMPLATE } from './template.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the server's `postgres` database; the template stands beside it. */
    postgresUrl: string
  }
}

/** A start that fails on a busy machine says nothing of the tests behind it. */
const TRIES = 3

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { postgres, folder } = await startWithRetry()
  const end = async (): Promise<void> => {
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await makeTemplate(postgres)
  } catch (error) {
    await end()
    throw error
  }
  project.provide('postgresUrl', postgres.url('postgres'))
  return end
}

/** Each try has a folder of its own, so that it meets nothing of the one before. */
async function startWithRetry(): Promise<{ postgres: Postgres; folder: string }> {
  for (let tries = 1; ; tries += 1) {
    const folder = await mkdtemp(join(tmpdir(), 'neuroloom-test-'))
    try {
      const postgres = await startPostgres({
        folder: join(folder, 'postgres'),
        // Tests need no durability; crash tests start their own server.
        settings: {
          fsync: 'off',
          synchronous_commit: 'off',
          full_page_writes: 'off',
          max_connections: '200',
        },
      })
      return { postgres, folder }
    } catch (error) {
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
      if (tries === TRIES) throw error
    }
  }
}

async function makeTemplate(postgres: Postgres): Promise<void> {
  const admin = new pg.Client({ connectionString: postgres.url('postgres') })
  await admin.connect()
  await admin.query(`create database ${TEMPLATE}`)
  await admin.end()
  await migrate(postgres.url(TEMPLATE))
  await prepareJobs(postgres.url(TEMPLATE))
}
