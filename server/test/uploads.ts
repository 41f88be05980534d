/** Uploads as a page does them: announced by a call, sent by tus with a checksum a request. */
import { createHash } from 'node:crypto'
import { headersOf, type Session, type TestServer } from './harness.ts'

export type TestFile = { path: string; bytes: Uint8Array }

export const sha256 = (bytes: Uint8Array, encoding: 'hex' | 'base64' = 'base64'): string =>
  createHash('sha256').update(bytes).digest(encoding)

export const tusUrl = (server: TestServer, id = ''): string =>
  `${server.url}/AI/api/chunk/upload${id && `/${id}`}`

export const tusHeaders = (session: Session | null): Record<string, string> => ({
  ...headersOf(session),
  'Tus-Resumable': '1.0.0',
})

const bytesHeaders = (checksum: string) => ({
  'Content-Type': 'application/offset+octet-stream',
  'Upload-Checksum': `sha256 ${checksum}`,
})

type Sent = { upload: string; bytes: Uint8Array; checksum?: string }

/** Creates the upload together with its first bytes; `total` says that more follow. */
export const tusCreate = (
  server: TestServer,
  session: Session | null,
  { upload, bytes, total = bytes.length, checksum = sha256(bytes) }: Sent & { total?: number },
): Promise<Response> =>
  fetch(tusUrl(server), {
    method: 'POST',
    headers: {
      ...tusHeaders(session),
      ...bytesHeaders(checksum),
      'Upload-Length': String(total),
      'Upload-Metadata': `upload ${Buffer.from(upload).toString('base64')}`,
    },
    body: Buffer.from(bytes),
  })

export const tusPatch = (
  server: TestServer,
  session: Session | null,
  { upload, bytes, offset, checksum = sha256(bytes) }: Sent & { offset: number },
): Promise<Response> =>
  fetch(tusUrl(server, upload), {
    method: 'PATCH',
    headers: {
      ...tusHeaders(session),
      ...bytesHeaders(checksum),
      'Upload-Offset': String(offset),
    },
    body: Buffer.from(bytes),
  })

/** Bytes that the server has counted; null when it knows no such upload. */
export async function tusOffset(
  server: TestServer,
  session: Session,
  upload: string,
): Promise<number | null> {
  const response = await fetch(tusUrl(server, upload), { method: 'HEAD', headers: tusHeaders(session) })
  const offset = response.headers.get('upload-offset')
  return offset === null ? null : Number(offset)
}

/** Uploads small files, `parallel` at a time, and answers with the folder they were put in. */
export async function upload(
  server: TestServer,
  session: Session,
  {
    parentId = null,
    files,
    parallel = 4,
  }: { parentId?: string | null; files: TestFile[]; parallel?: number },
): Promise<string | null> {
  const { data, code, message } = await server.call(
    'files/prepare',
    {
      parentId,
      sameName: 'overwrite',
      files: files.map(({ path, bytes }) => ({ path, sizeBytes: bytes.length })),
    },
    session,
  )
  if (code !== 10200) throw new Error(`files/prepare: ${message}`)
  const waiting = files.entries()
  const send = async (): Promise<void> => {
    for (const [index, { bytes }] of waiting) {
      const number = data.uploads[index]
      if (!number) continue
      const response = await tusCreate(server, session, { upload: number, bytes })
      if (response.status !== 201) throw new Error(`upload: ${response.status} ${await response.text()}`)
      await response.arrayBuffer()
    }
  }
  await Promise.all(Array.from({ length: parallel }, send))
  return data.folderId
}

/** Files below one folder, with the ids of all by path. */
export async function putBelow(server: TestServer, owner: Session, files: Record<string, Buffer | string>) {
  const list = Object.entries(files).map(([name, bytes]) => ({
    path: `set/${name}`,
    bytes: Buffer.from(bytes),
  }))
  const top = (await upload(server, owner, { files: list })) ?? ''
  const ids = new Map<string, string>()
  const walk = async (folderId: string, path: string) => {
    const { data } = await server.call('files/list', { folderId }, owner)
    for (const { id, name, kind } of data.entries) {
      ids.set(`${path}${name}`, id)
      if (kind === 'folder') await walk(id, `${path}${name}/`)
    }
  }
  await walk(top, '')
  return { top, idOf: (path: string) => ids.get(path) ?? '' }
}
