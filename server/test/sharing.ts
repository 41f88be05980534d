/** Things to share, made as a page makes them. */
import type { Session, TestServer } from './harness.ts'
import { upload } from './uploads.ts'

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
  await upload(server, owner, { parentId, files: [{ path: name, bytes }] })
  const { data } = await server.call('files/list', { folderId: parentId, search: name }, owner)
  const found = data.entries.find((entry) => entry.name === name)
  if (!found) throw new Error(`Not uploaded: ${name}`)
  return found.id
}
