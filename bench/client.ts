/** A member without a browser: signs in, uploads folders and makes calls, for benches. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Answer, Body, Path } from '@neuroloom/contract/calls'
import type { Product } from '../e2e/stack.ts'

export type Client = ReturnType<typeof connect>

export async function signIn(product: Product, member = product.member) {
  if (!member) throw new Error('the product has no demo member')
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  const client = connect(product.url, headers)
  const user = await client.call('user/login', member)
  headers.token = user.token
  headers.userId = user.id
  return client
}

/** Calls in a session that is open already. */
export function connect(url: string, headers: Record<string, string>) {
  const call = async <P extends Path>(path: P, body: Body<P>): Promise<Answer<P>> => {
    const response = await fetch(`${url}/AI/api/${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    const answer = await response.json()
    if (answer.code !== 10200) throw new Error(`${path}: ${answer.code} ${answer.message}`)
    return answer.data
  }
  return { call, headers, url }
}

/** Uploads a folder below a new top-level folder of its name; `keep` chooses files by relative path. Answers its id. */
export async function uploadFolder(
  client: Client,
  folder: string,
  { name, keep = () => true }: { name: string; keep?: (path: string) => boolean },
) {
  const paths = filesBelow(folder).filter((path) => keep(relative(folder, path)))
  const contents = paths.map((path) => readFileSync(path))
  const { uploads, folderId } = await client.call('files/prepare', {
    parentId: null,
    sameName: 'overwrite',
    files: paths.map((path, index) => ({
      path: `${name}/${relative(folder, path)}`,
      sizeBytes: contents[index]?.length ?? 0,
    })),
  })
  const queue = uploads.map((upload, index) => ({ upload, content: contents[index] }))
  const sender = async () => {
    for (let next = queue.pop(); next; next = queue.pop()) {
      if (next.upload && next.content) await send(client, next.upload, next.content)
    }
  }
  await Promise.all([sender(), sender(), sender(), sender()])
  if (!folderId) throw new Error('no folder was made')
  return { folderId, files: paths.length, bytes: contents.reduce((sum, content) => sum + content.length, 0) }
}

async function send(client: Client, upload: string, content: Buffer) {
  const { createHash } = await import('node:crypto')
  const response = await fetch(`${client.url}/AI/api/chunk/upload`, {
    method: 'POST',
    headers: {
      ...client.headers,
      'tus-resumable': '1.0.0',
      'upload-length': String(content.length),
      'upload-metadata': `upload ${Buffer.from(upload).toString('base64')}`,
      'upload-checksum': `sha256 ${createHash('sha256').update(content).digest('base64')}`,
      'content-type': 'application/offset+octet-stream',
    },
    body: new Uint8Array(content),
  })
  if (response.status !== 201) throw new Error(`upload: ${response.status} ${await response.text()}`)
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

/** Settings are chosen for the device: before a worker has told it, the same wish would become another run. */
export const untilDeviceIsTold = (client: Client) =>
  poll(
    () => client.call('runs/device', {}),
    ({ memoryBytes }) => memoryBytes !== null,
  )

/** Asks until `until` is content, at most `limitMs`. */
export async function poll<T>(
  ask: () => Promise<T>,
  until: (value: T) => boolean,
  { everyMs = 500, limitMs = 900_000 } = {},
): Promise<T> {
  const end = Date.now() + limitMs
  for (;;) {
    const value = await ask()
    if (until(value)) return value
    if (Date.now() > end) throw new Error(`not reached in ${limitMs} ms`)
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
}
