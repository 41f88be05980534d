import { readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { uploads as limits } from '@neuroloom/contract/limits'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { headersOf, makeServer, type Session, type TestServer } from '../../../../test/harness.ts'
import { stagingFolder } from './uploads.ts'

let server: TestServer
beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())

type Answer = {
  code: number
  data: { error?: string; id?: string; name?: string; sizeBytes?: number } | null
}

async function send(session: Session | null, form: FormData): Promise<Answer & { status: number }> {
  const response = await fetch(`${server.url}/AI/api/project/file/upload`, {
    method: 'POST',
    headers: headersOf(session),
    body: form,
  })
  // The envelope of every answer.
  return { ...((await response.json()) as Answer), status: response.status }
}

function formOf(bytes: Uint8Array<ArrayBuffer>, name: string, fields: Record<string, string> = {}): FormData {
  const form = new FormData()
  for (const [field, value] of Object.entries(fields)) form.set(field, value)
  form.set('file', new Blob([bytes]), name)
  return form
}

const bytesOf = (length: number) => new Uint8Array(length).fill(7)
const entries = async (session: Session) =>
  (await server.call('files/list', { folderId: null }, session)).data.entries
const storage = async ({ userId }: Session) => {
  const { rows } = await server.ctx.db.execute<{ used: string; reserved: string }>(
    sql`select used_bytes as used, reserved_bytes as reserved from user_storage where user_id = ${userId}`,
  )
  return { used: Number(rows[0]?.used ?? 0), reserved: Number(rows[0]?.reserved ?? 0) }
}
const staged = () => readdir(stagingFolder(server.ctx)).catch(() => [])

describe('one file in one request', () => {
  it('is stored as every upload, and counted exactly', async () => {
    const session = await server.signUp()
    const answer = await send(session, formOf(bytesOf(5000), '照片 снимок.png'))
    expect(answer).toMatchObject({ code: 10200, data: { name: '照片 снимок.png', sizeBytes: 5000 } })
    expect(await entries(session)).toMatchObject([{ id: answer.data?.id, sizeBytes: 5000 }])
    expect(await storage(session)).toEqual({ used: 5000, reserved: 0 })
    expect(await staged()).toEqual([])
  })

  it('goes into the folder that is named, by the same rules for taken names', async () => {
    const session = await server.signUp()
    const { data: folder } = await server.call('files/createFolder', { parentId: null, name: 'set' }, session)
    const fields = { parentId: folder.id }
    expect((await send(session, formOf(bytesOf(1), 'a.bin', fields))).data?.name).toBe('a.bin')
    expect((await send(session, formOf(bytesOf(2), 'a.bin', fields))).data?.name).toBe('a (2).bin')
    const overwriting = { ...fields, sameName: 'overwrite' }
    expect((await send(session, formOf(bytesOf(3), 'a.bin', overwriting))).data).toMatchObject({
      sizeBytes: 3,
    })
    expect(
      (await send(session, formOf(bytesOf(4), 'a.bin', { ...fields, sameName: 'skip' }))).data,
    ).toBeNull()
    expect(await storage(session)).toEqual({ used: 5, reserved: 0 })
  })

  it('is refused to strangers and for foreign folders', async () => {
    const [owner, stranger] = [await server.signUp(), await server.signUp()]
    const { data: folder } = await server.call('files/createFolder', { parentId: null, name: 'set' }, owner)
    expect((await send(null, formOf(bytesOf(1), 'a.bin'))).data?.error).toBe('not_signed_in')
    const foreign = await send(stranger, formOf(bytesOf(1), 'a.bin', { parentId: folder.id }))
    expect(foreign.data?.error).toBe('missing')
    expect(await storage(stranger)).toEqual({ used: 0, reserved: 0 })
  })

  it('is refused when it is too large, and leaves nothing behind', async () => {
    const session = await server.signUp()
    const answer = await send(session, formOf(bytesOf(limits.singleBytes + 1), 'large.bin'))
    expect([answer.status, answer.data?.error]).toEqual([413, 'too_large'])
    expect(await entries(session)).toEqual([])
    expect(await storage(session)).toEqual({ used: 0, reserved: 0 })
    expect(await staged()).toEqual([])
  })

  it.each([
    ['no boundary', 'multipart/form-data', 'x'],
    ['JSON posing as a form', 'application/json', '{"file":"x"}'],
    [
      'a form without a file',
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--b--\r\n',
    ],
    [
      'a form that ends too early',
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nhalf',
    ],
    [
      'ten thousand parts',
      'multipart/form-data; boundary=b',
      `${'--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n'.repeat(500)}--b--\r\n`,
    ],
  ])('refuses %s', async (_what, type, body) => {
    const session = await server.signUp()
    const response = await fetch(`${server.url}/AI/api/project/file/upload`, {
      method: 'POST',
      headers: { ...headersOf(session), 'content-type': type },
      body,
    })
    expect(response.status).toBeGreaterThanOrEqual(400)
    expect(response.status).toBeLessThan(500)
    expect(await entries(session)).toEqual([])
    expect(await storage(session)).toEqual({ used: 0, reserved: 0 })
    expect(await staged()).toEqual([])
  })

  it('leaves nothing behind when the line breaks in the middle', async () => {
    const session = await server.signUp()
    const { hostname, port } = new URL(server.url)
    const head = Object.entries({
      ...headersOf(session),
      Host: `${hostname}:${port}`,
      'Content-Type': 'multipart/form-data; boundary=b',
      'Content-Length': '100000',
    }).map(([name, value]) => `${name}: ${value}`)
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), hostname, () => {
        socket.write(`POST /AI/api/project/file/upload HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n`)
        socket.write('--b\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n\r\n')
        socket.write('x'.repeat(20_000))
        vi.waitFor(async () => expect(await staged()).not.toEqual([]), { timeout: 60_000 }).then(() =>
          socket.destroy(),
        )
      })
      socket.on('close', () => resolve())
    })
    await vi.waitFor(
      async () => {
        expect(await staged()).toEqual([])
        expect(await storage(session)).toEqual({ used: 0, reserved: 0 })
      },
      { timeout: 60_000 },
    )
    expect(await entries(session)).toEqual([])
  })

  it('takes a name as a name, never as a path', async () => {
    const session = await server.signUp()
    for (const name of ['..', '../up.bin', 'a/../../b.bin', '.', 'x'.repeat(300), 'a\\b.bin'])
      await send(session, formOf(bytesOf(1), name))
    const names = (await entries(session)).map((entry) => entry.name)
    expect(names.every((name) => !/[/\\]|^\.+$/.test(name) && name.length <= 200)).toBe(true)
    expect(await storage(session)).toEqual({ used: names.length, reserved: 0 })
    expect(await staged()).toEqual([])
  })
})
