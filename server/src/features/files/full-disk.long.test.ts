/** A disk that is really full. */
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { drag } from '../../../test/drag.ts'
import { MEGABYTE, prepare } from '../../../test/full-disk-folder.ts'
import { headersOf, makeServer, PASSWORD } from '../../../test/harness.ts'
import { tusCreate } from '../../../test/uploads.ts'

/** A disk of its own, small enough to be filled; null where the system does not let us make one. */
function mountDisk(): string | null {
  const folder = mkdtempSync(join(tmpdir(), 'neuroloom-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=48m', 'tmpfs', folder], { stdio: 'ignore' })
    return folder
  } catch {
    rmSync(folder, { recursive: true })
    return null
  }
}

describe('a disk that is really full', () => {
  const folder = mountDisk()

  afterAll(() => {
    if (folder === null) return
    execFileSync('umount', ['-l', folder])
    rmSync(folder, { recursive: true })
  })

  it.skipIf(folder === null)(
    'refuses, lets members sign in and delete, and takes uploads again without a restart (needs the right to mount)',
    async () => {
      const dataDir = folder ?? ''
      const server = await makeServer({ dataDir, minFreeBytes: 16 * MEGABYTE })
      try {
        const { account, ...who } = await server.signUp()
        const bytes = randomBytes(MEGABYTE)
        const { data } = await prepare(server, who, bytes.length)
        await writeFile(join(dataDir, 'something-else'), Buffer.alloc(40 * MEGABYTE))
        const number = data.uploads[0] ?? ''
        const refusal = async () => (await prepare(server, who, 1)).data.error
        await expect.poll(refusal, { timeout: 60_000 }).toBe('disk_full')
        expect((await tusCreate(server, who, { upload: number, bytes })).status).toBe(507)
        const proof = await drag(server)
        const { data: again } = await server.call('user/login', { account, password: PASSWORD, proof })
        const session = { userId: again.id, token: again.token }
        expect(headersOf(session).token).not.toBe(who.token)
        expect((await server.call('files/cancel', { uploads: [number] }, session)).data.cancelled).toBe(1)
        await rm(join(dataDir, 'something-else'))
        const wish = async () => (await prepare(server, session, bytes.length)).data.uploads?.[0] ?? ''
        let next = ''
        await expect
          .poll(
            async () => {
              next = await wish()
              return next
            },
            { timeout: 60_000 },
          )
          .not.toBe('')
        expect((await tusCreate(server, session, { upload: next, bytes })).status).toBe(201)
      } finally {
        await server.close()
      }
    },
  )
})
