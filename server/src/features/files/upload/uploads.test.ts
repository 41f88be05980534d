import { randomBytes } from 'node:crypto'
import { link, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { files as limits } from '@neuroloom/contract/limits'
import { sql } from 'drizzle-orm'
import { Upload as TusUpload } from 'tus-js-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../../test/harness.ts'
import { sha256, tusCreate, tusHeaders, tusOffset, tusPatch, tusUrl } from '../../../../test/uploads.ts'
import { stagedPath, stagingFolder, sweep } from './uploads.ts'

let server: TestServer
beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())

const announce = async (session: Session, sizeBytes: number, path = 'file.bin'): Promise<string> => {
  const { data } = await server.call(
    'files/prepare',
    { parentId: null, sameName: 'rename', files: [{ path, sizeBytes }] },
    session,
  )
  return data.uploads[0] ?? ''
}
const entries = async (session: Session) =>
  (await server.call('files/list', { folderId: null }, session)).data.entries
const content = async (session: Session, id: string): Promise<Buffer> => {
  const { data } = await server.call('files/open', { id, download: true }, session)
  return Buffer.from(await (await fetch(server.url + data.url)).arrayBuffer())
}
const storage = async (session: Session) => {
  const { rows } = await server.ctx.db.execute<{ used: string; reserved: string }>(
    sql`select used_bytes as used, reserved_bytes as reserved from user_storage where user_id = ${session.userId}`,
  )
  return { used: Number(rows[0]?.used), reserved: Number(rows[0]?.reserved) }
}
const errorOf = async (response: Response): Promise<unknown> => {
  // The envelope of every failure.
  const body = (await response.json()) as { data: { error: string } }
  return body.data.error
}

/** Sends the head of a chunk and a part of its body, then breaks the line. */
function sendHalf(session: Session, upload: string, { bytes, offset }: { bytes: Buffer; offset: number }) {
  const { hostname, port } = new URL(server.url)
  const head = Object.entries({
    ...tusHeaders(session),
    Host: `${hostname}:${port}`,
    'Content-Type': 'application/offset+octet-stream',
    'Content-Length': String(bytes.length),
    'Upload-Offset': String(offset),
    'Upload-Checksum': `sha256 ${sha256(bytes)}`,
  }).map(([name, value]) => `${name}: ${value}`)
  return new Promise<void>((resolve) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(`PATCH /AI/api/chunk/upload/${upload} HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n`)
      socket.write(bytes.subarray(0, bytes.length / 2), () => socket.destroy())
    })
    socket.on('close', () => resolve())
  })
}

describe('a whole upload', () => {
  it('takes a small file in one request', async () => {
    const session = await server.signUp()
    const bytes = randomBytes(5000)
    const response = await tusCreate(server, session, { upload: await announce(session, 5000), bytes })
    expect(response.status).toBe(201)
    expect(response.headers.get('upload-offset')).toBe('5000')
    const [file] = await entries(session)
    expect(file).toMatchObject({ kind: 'file', name: 'file.bin', type: 'bin', sizeBytes: 5000 })
    expect((await content(session, file?.id ?? '')).equals(bytes)).toBe(true)
    expect(await storage(session)).toEqual({ used: 5000, reserved: 0 })
  })

  it('takes a file of several chunks by the client that pages use', async () => {
    const session = await server.signUp()
    const bytes = randomBytes(300_000)
    const upload = await announce(session, bytes.length)
    await new Promise<void>((resolve, reject) => {
      new TusUpload(bytes, {
        endpoint: tusUrl(server),
        headers: { token: session.token, userId: session.userId },
        metadata: { upload },
        chunkSize: 100_000,
        uploadDataDuringCreation: true,
        retryDelays: null,
        onBeforeRequest: (request) => {
          const offset = Number(request.getHeader('Upload-Offset') ?? 0)
          const chunk = bytes.subarray(offset, offset + 100_000)
          request.setHeader('Upload-Checksum', `sha256 ${sha256(chunk)}`)
        },
        onSuccess: () => resolve(),
        onError: reject,
      }).start()
    })
    const [file] = await entries(session)
    expect(sha256(await content(session, file?.id ?? ''))).toBe(sha256(bytes))
  })

  it('takes an empty file', async () => {
    const session = await server.signUp()
    const upload = await announce(session, 0)
    const response = await tusCreate(server, session, { upload, bytes: Buffer.alloc(0) })
    expect(response.status).toBe(201)
    expect((await entries(session))[0]).toMatchObject({ sizeBytes: 0 })
  })

  it('keeps the same bytes once and counts them for each file', async () => {
    const session = await server.signUp()
    const bytes = randomBytes(700)
    for (const name of ['a.bin', 'b.bin']) {
      await tusCreate(server, session, { upload: await announce(session, 700, name), bytes })
    }
    expect(await storage(session)).toEqual({ used: 1400, reserved: 0 })
    expect(await server.ctx.storage.size(sha256(bytes, 'hex'))).toBe(700)
  })
})

describe('a broken upload', () => {
  it('goes on after a cut from the last whole chunk', async () => {
    const session = await server.signUp()
    const bytes = randomBytes(3000)
    const upload = await announce(session, 3000)
    await tusCreate(server, session, { upload, bytes: bytes.subarray(0, 1000), total: 3000 })
    await sendHalf(session, upload, { bytes: bytes.subarray(1000, 3000), offset: 1000 })
    expect(await tusOffset(server, session, upload)).toBe(1000)
    const rest = await tusPatch(server, session, { upload, bytes: bytes.subarray(1000), offset: 1000 })
    expect(rest.status).toBe(204)
    const [file] = await entries(session)
    expect((await content(session, file?.id ?? '')).equals(bytes)).toBe(true)
  })

  it('does not count a chunk whose checksum is wrong or missing', async () => {
    const session = await server.signUp()
    const bytes = randomBytes(2000)
    const upload = await announce(session, 2000)
    const part = { upload, bytes: bytes.subarray(0, 1000) }
    await tusCreate(server, session, { ...part, total: 2000 })
    const next = { upload, bytes: bytes.subarray(1000), offset: 1000 }
    const wrong = await tusPatch(server, session, { ...next, checksum: sha256(Buffer.from('other')) })
    expect(wrong.status).toBe(460)
    expect(wrong.headers.get('content-type')).toContain('application/json')
    expect(await errorOf(wrong)).toBe('checksum_wrong')
    const missing = await tusPatch(server, session, { ...next, checksum: '' })
    expect(missing.status).toBe(400)
    expect(await tusOffset(server, session, upload)).toBe(1000)
    expect((await tusPatch(server, session, next)).status).toBe(204)
    expect(await storage(session)).toEqual({ used: 2000, reserved: 0 })
  })

  it('refuses a chunk at another place', async () => {
    const session = await server.signUp()
    const upload = await announce(session, 2000)
    const bytes = randomBytes(1000)
    await tusCreate(server, session, { upload, bytes, total: 2000 })
    expect((await tusPatch(server, session, { upload, bytes, offset: 0 })).status).toBe(409)
    expect((await tusPatch(server, session, { upload, bytes, offset: 1500 })).status).toBe(409)
  })

  it('answers the end again when it is sent twice', async () => {
    const session = await server.signUp()
    const upload = await announce(session, 10)
    const bytes = randomBytes(10)
    const again = await Promise.all([
      tusCreate(server, session, { upload, bytes }),
      tusCreate(server, session, { upload, bytes }),
    ])
    expect(again.map(({ status }) => status)).toEqual([201, 201])
    const late = await tusPatch(server, session, { upload, bytes: Buffer.alloc(0), offset: 10 })
    expect(late.status).toBe(204)
    expect(await tusOffset(server, session, upload)).toBe(10)
    expect(await entries(session)).toHaveLength(1)
    expect(await storage(session)).toEqual({ used: 10, reserved: 0 })
  })

  it('reads a large file that comes again after its end to the end, so that nothing hangs', async () => {
    const session = await server.signUp()
    const bytes = randomBytes(600_000)
    const upload = await announce(session, bytes.length)
    expect((await tusCreate(server, session, { upload, bytes })).status).toBe(201)
    expect((await tusCreate(server, session, { upload, bytes })).status).toBe(201)
  })

  it('begins anew when its creation is repeated', async () => {
    const session = await server.signUp()
    const bytes = randomBytes(2000)
    const upload = await announce(session, 2000)
    await tusCreate(server, session, { upload, bytes: randomBytes(1000), total: 2000 })
    await tusCreate(server, session, { upload, bytes: bytes.subarray(0, 500), total: 2000 })
    expect(await tusOffset(server, session, upload)).toBe(500)
    await tusPatch(server, session, { upload, bytes: bytes.subarray(500), offset: 500 })
    const [file] = await entries(session)
    expect((await content(session, file?.id ?? '')).equals(bytes)).toBe(true)
  })
})

describe('after a crash', () => {
  it('forgets bytes of a chunk that were written but not counted', async () => {
    const session = await server.signUp()
    const bytes = randomBytes(2000)
    const upload = await announce(session, 2000)
    await tusCreate(server, session, { upload, bytes: bytes.subarray(0, 1000), total: 2000 })
    // Killed between the write and the count: the file is longer than what counts.
    const written = Buffer.concat([bytes.subarray(0, 1000), randomBytes(700)])
    await writeFile(stagedPath(server.ctx, upload), written)
    expect(await tusOffset(server, session, upload)).toBe(1000)
    await tusPatch(server, session, { upload, bytes: bytes.subarray(1000), offset: 1000 })
    const [file] = await entries(session)
    expect((await content(session, file?.id ?? '')).equals(bytes)).toBe(true)
  })

  it('asks for everything again when counted bytes are gone from the disk', async () => {
    const session = await server.signUp()
    const bytes = randomBytes(2000)
    const upload = await announce(session, 2000)
    await tusCreate(server, session, { upload, bytes: bytes.subarray(0, 1000), total: 2000 })
    await rm(stagedPath(server.ctx, upload))
    const last = await tusPatch(server, session, { upload, bytes: bytes.subarray(1000), offset: 1000 })
    expect(last.status).toBe(409)
    expect(await tusOffset(server, session, upload)).toBe(0)
    expect((await tusPatch(server, session, { upload, bytes, offset: 0 })).status).toBe(204)
    const [file] = await entries(session)
    expect((await content(session, file?.id ?? '')).equals(bytes)).toBe(true)
  })

  /** As a server leaves it that is killed after the store took the bytes, with the second name still there. */
  async function killedBeforeCounting(session: Session, bytes: Buffer): Promise<string> {
    const upload = await announce(session, bytes.length)
    await tusCreate(server, session, { upload, bytes: bytes.subarray(0, 1000), total: bytes.length })
    const staged = stagedPath(server.ctx, upload)
    await writeFile(staged, bytes)
    await link(staged, `${staged}.whole`)
    await server.ctx.storage.adopt(`${staged}.whole`, sha256(bytes, 'hex'))
    await link(staged, `${staged}.whole`)
    return upload
  }

  it('finishes when the bytes were stored but nothing was recorded', async () => {
    const session = await server.signUp()
    const bytes = randomBytes(2000)
    const upload = await killedBeforeCounting(session, bytes)
    const last = await tusPatch(server, session, { upload, bytes: bytes.subarray(1000), offset: 1000 })
    expect(last.status).toBe(204)
    const [file] = await entries(session)
    expect((await content(session, file?.id ?? '')).equals(bytes)).toBe(true)
    expect(await readdir(stagingFolder(server.ctx))).not.toContain(upload)
    expect(await readdir(stagingFolder(server.ctx))).not.toContain(`${upload}.whole`)
  })

  it('never writes to bytes that the store has taken, whatever is sent afterwards', async () => {
    const session = await server.signUp()
    const [bytes, other] = [randomBytes(2000), randomBytes(1000)]
    const stored = async () => Buffer.concat(await server.ctx.storage.read(sha256(bytes, 'hex')).toArray())
    const upload = await killedBeforeCounting(session, bytes)
    expect((await tusPatch(server, session, { upload, bytes: other, offset: 1000 })).status).toBe(204)
    const [file] = await entries(session)
    const sent = Buffer.concat([bytes.subarray(0, 1000), other])
    expect((await content(session, file?.id ?? '')).equals(sent)).toBe(true)
    expect((await stored()).equals(bytes)).toBe(true)

    const anew = await killedBeforeCounting(session, bytes)
    const whole = Buffer.concat([other, other])
    expect((await tusCreate(server, session, { upload: anew, bytes: whole })).status).toBe(201)
    expect((await stored()).equals(bytes)).toBe(true)
    expect(await readdir(stagingFolder(server.ctx))).not.toContain(anew)
  })
})

describe('refusals', () => {
  it('knows only the own uploads', async () => {
    const [owner, stranger] = [await server.signUp(), await server.signUp()]
    const upload = await announce(owner, 10)
    const bytes = randomBytes(10)
    const answers = [
      await tusCreate(server, stranger, { upload, bytes }),
      await tusCreate(server, owner, { upload: 'unknown', bytes }),
      await tusPatch(server, stranger, { upload, bytes, offset: 0 }),
      await fetch(tusUrl(server, upload), { method: 'DELETE', headers: tusHeaders(stranger) }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([410, 410, 410, 410])
    expect(await Promise.all(answers.map(errorOf))).toEqual(answers.map(() => 'upload_gone'))
    expect(await tusOffset(server, stranger, upload)).toBeNull()
    expect((await tusCreate(server, owner, { upload, bytes })).status).toBe(201)
  })

  it('refuses everybody who is not signed in', async () => {
    const session = await server.signUp()
    const upload = await announce(session, 10)
    const response = await tusCreate(server, null, { upload, bytes: randomBytes(10) })
    expect(response.status).toBe(401)
    expect(await errorOf(response)).toBe('not_signed_in')
    expect(await entries(session)).toEqual([])
  })

  it('refuses another size than was announced', async () => {
    const session = await server.signUp()
    const upload = await announce(session, 10)
    expect((await tusCreate(server, session, { upload, bytes: randomBytes(11) })).status).toBe(400)
    expect((await tusCreate(server, session, { upload, bytes: randomBytes(10) })).status).toBe(201)
    expect(await storage(session)).toEqual({ used: 10, reserved: 0 })
  })

  it('refuses chunks that are too large', async () => {
    const session = await server.signUp()
    const total = limits.chunkBytes + 1
    const upload = await announce(session, total)
    const response = await tusCreate(server, session, { upload, bytes: Buffer.alloc(total) })
    expect(response.status).toBe(413)
  })

  it('is open to no other site', async () => {
    const response = await fetch(tusUrl(server), {
      method: 'OPTIONS',
      headers: { ...tusHeaders(await server.signUp()), origin: 'https://evil.example' },
    })
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
    expect(response.headers.get('tus-extension')).toContain('checksum')
  })
})

describe('given up', () => {
  it('returns the space and forgets the bytes when the client ends it', async () => {
    const session = await server.signUp()
    const upload = await announce(session, 2000)
    await tusCreate(server, session, { upload, bytes: randomBytes(1000), total: 2000 })
    const ended = await fetch(tusUrl(server, upload), { method: 'DELETE', headers: tusHeaders(session) })
    expect(ended.status).toBe(204)
    expect(await tusOffset(server, session, upload)).toBeNull()
    expect(await storage(session)).toEqual({ used: 0, reserved: 0 })
    await expect(stat(stagedPath(server.ctx, upload))).rejects.toThrow('ENOENT')
  })

  it('is dropped after a day without a byte, and not before', async () => {
    const other = await makeServer()
    try {
      const session = await other.signUp()
      const { data } = await other.call(
        'files/prepare',
        { parentId: null, sameName: 'rename', files: [{ path: 'a.bin', sizeBytes: 2000 }] },
        session,
      )
      const upload = data.uploads[0] ?? ''
      await tusCreate(other, session, { upload, bytes: randomBytes(1000), total: 2000 })
      other.forward(limits.uploadIdleMs - 60_000)
      await sweep(other.ctx)
      await stat(stagedPath(other.ctx, upload))
      other.forward(120_000)
      await sweep(other.ctx)
      await expect(stat(stagedPath(other.ctx, upload))).rejects.toThrow('ENOENT')
      const { rows } = await other.ctx.db.execute(sql`select reserved_bytes from user_storage`)
      expect(rows).toEqual([{ reserved_bytes: '0' }])
    } finally {
      await other.close()
    }
  })
})
