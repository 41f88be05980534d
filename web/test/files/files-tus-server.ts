/** A real tus server on a free port whose line a test can cut or hold; it checks the checksum of every request. */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { FileStore } from '@tus/file-store'
import { Server } from '@tus/server'

export type TusRequest = {
  method: string
  upload: string
  isChecked: boolean
  token: string
  /** Where its bytes belong. */
  offset: number
  /** Not cut off before it was served. */
  isServed: boolean
}
/** `mute`: the request is served, but its answer gets lost. */
type Verdict = 'pass' | 'taken' | 'mute'
type Intervene = (request: IncomingMessage, response: ServerResponse) => Verdict | Promise<Verdict>

/** `path` is where the product would have it below its origin. */
export async function startTusServer(path = '/AI/api/chunk/upload') {
  const folder = await mkdtemp(join(tmpdir(), 'uploads-'))
  const directory = join(folder, 'bytes')
  const datastore = new FileStore({ directory })
  // Its constructor begins to make the folder and waits for nobody: a short test would end, and remove it, before.
  while (!existsSync(directory)) await setTimeout(5)
  const tus = new Server({
    path,
    datastore,
    // As the product does: an upload's number is the one that was given out.
    namingFunction: (_request, metadata) => metadata?.upload ?? '',
  })
  const requests: TusRequest[] = []
  let intervene: Intervene = () => 'pass'
  const server = createServer(async (request, response) => {
    const note = noteOf(request)
    requests.push(note)
    const verdict = await intervene(request, response)
    if (verdict === 'taken') {
      note.isServed = false
      return
    }
    if (verdict === 'mute') mute(request, response)
    await tus.handle(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A listening TCP server's address is never a pipe name.
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    endpoint: `http://127.0.0.1:${port}${path}`,
    requests,
    /** What happens to requests before the tus server sees them. */
    intervene: (next: Intervene) => {
      intervene = next
    },
    /** SHA-256 of every complete file on the disk. */
    async arrived() {
      const names = (await readdir(directory)).filter((name) => !name.endsWith('.json'))
      return Promise.all(names.map(async (name) => hash(await readFile(join(directory, name)))))
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 })
    },
  }
}

export type TusTestServer = Awaited<ReturnType<typeof startTusServer>>

export const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('base64')

function mute(request: IncomingMessage, response: ServerResponse) {
  const cut = () => {
    request.socket.destroy()
    return response
  }
  response.writeHead = cut
  response.end = cut
}

function noteOf(request: IncomingMessage): TusRequest {
  const metadata = String(request.headers['upload-metadata'] ?? '')
  const encoded = metadata.split(' ')[1] ?? ''
  return {
    method: request.method ?? '',
    upload: Buffer.from(encoded, 'base64').toString(),
    isChecked: /^sha256 [A-Za-z0-9+/]{43}=$/.test(String(request.headers['upload-checksum'] ?? '')),
    token: String(request.headers.token ?? ''),
    offset: Number(request.headers['upload-offset'] ?? 0),
    isServed: true,
  }
}
