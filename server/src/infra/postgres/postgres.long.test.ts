/** A PostgreSQL that does not start. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startPostgres } from './postgres.ts'

let parent: string
let folder: string
beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'neuroloom-postgres-'))
  folder = join(parent, 'cluster')
})
afterAll(async () => {
  await rm(parent, { recursive: true, force: true })
})

test('says why PostgreSQL does not start, from its own log', async () => {
  // An address for documentation: no machine has it.
  const nowhere = startPostgres({ folder, settings: { listen_addresses: '192.0.2.1' } })
  await expect(nowhere).rejects.toThrow(
    /did not start in \S+: .*FATAL: +could not create any TCP\/IP sockets$/,
  )
  const unknown = startPostgres({ folder, settings: { shared_buffers: 'many' } })
  await expect(unknown).rejects.toThrow(/FATAL: +invalid value for parameter "shared_buffers": "many"/)
})
