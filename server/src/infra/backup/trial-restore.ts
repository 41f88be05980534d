/**
 * Shows that a backup can be restored: all rows go into a database of their own, all bytes are read and compared, and
 * both are deleted again. Nothing of the running installation is touched, and no second copy of the files is needed.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { newId } from '../ids.ts'
import type { Manifest } from './folder.ts'
import { restore } from './restore.ts'

/** Fails with the reason why it cannot be restored. `databaseUrl`: of the installation, on whose server the trial database is made. */
export async function tryRestore(databaseUrl: string, folder: string): Promise<Manifest> {
  const name = `restore_trial_${newId()
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')}`
  const dataDir = await mkdtemp(join(tmpdir(), 'neuroloom-restore-trial-'))
  const url = new URL(databaseUrl)
  url.pathname = `/${name}`
  try {
    return await restore(
      {
        dataDir,
        openDatabase: async () => {
          await onServer(databaseUrl, `create database ${name}`)
          return url.toString()
        },
        // They were compared on the way.
        openStorage: async () => ({ stagingFolder: dataDir, adopt: (staged) => rm(staged) }),
      },
      folder,
    )
  } finally {
    await onServer(databaseUrl, `drop database if exists ${name} with (force)`)
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function onServer(databaseUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  // What it is asked fails with it; without a listener the process would, too.
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
