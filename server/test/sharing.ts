/** Things to share, made as a page makes them. */
import type { Path } from '@neuroloom/contract/calls'
import { files } from '@neuroloom/contract/limits'
import type { Reply, Session, TestServer } from './harness.ts'
import { tusCreate, tusPatch, upload } from './uploads.ts'

export async function makeFolder(
  server: TestServer,
  owner: Session,
  name: string,
  parentId: string | null = null,
): Promise<string> {
  const { data, code, message } = await server.call('files/createFolder', { parentId, name }, owner)
  if (code !== 10200) throw new Error(`files/createFolder: ${message}`)
  return data.id
}

/** Uploads one file and answers with its id. */
export async function put(
  server: TestServer,
  owner: Session,
  { parentId, name, bytes }: { parentId: string | null; name: string; bytes: Uint8Array },
): Promise<string> {
  if (bytes.length <= files.chunkBytes)
    await upload(server, owner, { parentId, files: [{ path: name, bytes }] })
  else await uploadInChunks(server, owner, { parentId, name, bytes })
  const { data } = await server.call('files/list', { folderId: parentId, search: name }, owner)
  const found = data.entries.find((entry) => entry.name === name)
  if (!found) throw new Error(`Not uploaded: ${name}`)
  return found.id
}

async function uploadInChunks(
  server: TestServer,
  owner: Session,
  { parentId, name, bytes }: { parentId: string | null; name: string; bytes: Uint8Array },
): Promise<void> {
  const wish = { parentId, files: [{ path: name, sizeBytes: bytes.length }] }
  const { data } = await server.call('files/prepare', { ...wish, sameName: 'overwrite' }, owner)
  const number = data.uploads[0] ?? ''
  const first = bytes.subarray(0, files.chunkBytes)
  await tusCreate(server, owner, { upload: number, bytes: first, total: bytes.length })
  for (let offset = first.length; offset < bytes.length; offset += files.chunkBytes) {
    const chunk = bytes.subarray(offset, offset + files.chunkBytes)
    await tusPatch(server, owner, { upload: number, bytes: chunk, offset })
  }
}

/** Asks again while the server says that it is busy, as a page does: on a loaded machine many at once may be too many. */
export async function insist<P extends Path>(ask: () => Promise<Reply<P>>): Promise<Reply<P>> {
  for (;;) {
    const reply = await ask()
    if (reply.data.error !== 'busy') return reply
  }
}
