/** One attempt to send one file by tus, each request with its checksum; it neither retries nor knows of other files. */
import { type ErrorName, errors } from '@neuroloom/contract/errors'
import { files as limits, uploads as pacing } from '@neuroloom/contract/limits'
import type { DetailedError, HttpRequest, HttpStack, Upload } from 'tus-js-client'
import { checksum } from './checksum.ts'
import type { LookProblem } from './upload-look.ts'

export type Reason = {
  /** `left:…`: a reason of the de-identification. */
  name: ErrorName | LookProblem | 'network' | `left:${string}`
  params: Record<string, string | number>
}

/**
 * `cut`: no answer, worth trying for ever. `busy`: the server could not now. `halt`: no file would get through
 * (signed out, disk full). `refused`: this file will not be taken.
 */
export type Outcome =
  | { kind: 'done' }
  | { kind: 'stopped' }
  | { kind: 'cut' }
  | { kind: 'busy' | 'halt' | 'refused'; reason: Reason }

export type Sending = { outcome: Promise<Outcome>; stop: () => void; location: () => string | null }

export type SendRequest = {
  file: File
  /** The number that `files/prepare` gave this file. */
  upload: string
  /** Where an earlier attempt got to, null on the first. */
  location: string | null
  onProgress: (sentBytes: number) => void
  /** The server has taken everything up to here. */
  onTaken?: (takenBytes: number) => void
}

export type SendOptions = {
  endpoint: () => string
  headers: () => Record<string, string>
  /** Outside of a browser a request says its length only when it is told to. */
  saysLength?: boolean
}

export function createSender({ endpoint, headers, saysLength = false }: SendOptions) {
  const pace = createPace()
  return ({ file, upload, location, onProgress, onTaken }: SendRequest): Sending => {
    let tus: Upload | null = null
    let isStopped = false
    // The server may have taken bytes whose answer never came: then it is asked before anything is sent again.
    let isUnclear = false
    let resolve: (outcome: Outcome) => void = () => {}
    const outcome = new Promise<Outcome>((done) => {
      resolve = done
    })
    const finish = (end: Outcome) => {
      isUnclear = end.kind === 'cut' || end.kind === 'stopped'
      if (end.kind === 'cut') pace.noteCut()
      resolve(end)
    }
    const start = async () => {
      const library = await import('tus-js-client')
      if (isStopped) return
      tus = new library.Upload(file, {
        endpoint: endpoint(),
        uploadUrl: location,
        headers: headers(),
        metadata: { upload },
        chunkSize: pace.chunkBytes(),
        uploadDataDuringCreation: true,
        storeFingerprintForResuming: false,
        // Attempts are counted over all files by the store, which also sees pauses.
        retryDelays: null,
        fileReader: blobReader,
        httpStack: checkedRequests(new library.DefaultHttpStack({}), saysLength),
        onProgress: (sentBytes) => onProgress(sentBytes),
        onChunkComplete: (_size, takenBytes) => {
          pace.noteCalm()
          onTaken?.(takenBytes)
        },
        onSuccess: () => finish({ kind: 'done' }),
        onError: (error) => finish(outcomeOf(error)),
      })
      tus.start()
    }
    start().catch(() => finish({ kind: 'cut' }))
    return {
      outcome,
      stop: () => {
        isStopped = true
        tus?.abort().catch(() => {})
        finish({ kind: 'stopped' })
      },
      // The product's server keeps an upload under the number that it gave out; any other one answers "unknown".
      location: () => tus?.url ?? location ?? (isUnclear ? `${endpoint()}/${upload}` : null),
    }
  }
}

/** How much is risked at once: on a line that breaks often, little must be sent again. */
function createPace() {
  let bytes: number = pacing.firstChunkBytes
  let calm = 0
  let cutAt = Number.NEGATIVE_INFINITY
  return {
    chunkBytes: () => bytes,
    noteCut() {
      calm = 0
      // One broken line ends all files on their way: that is one cut.
      if (Date.now() - cutAt > sameCutMs) bytes = Math.max(pacing.smallestChunkBytes, Math.floor(bytes / 4))
      cutAt = Date.now()
    },
    noteCalm() {
      calm += 1
      if (calm < pacing.calmChunks || Date.now() - cutAt < pacing.calmMs) return
      calm = 0
      bytes = Math.min(limits.chunkBytes, bytes * 2)
    },
  }
}

const sameCutMs = 500

/** Blob slices only: a chunk is read when its request leaves, so that memory holds one chunk a file in flight. */
const blobReader = {
  openFile: async (file: File) => ({
    size: file.size,
    slice: async (start: number, end: number) => ({ value: file.slice(start, end), done: end >= file.size }),
    close: () => {},
  }),
}

function checkedRequests(plain: HttpStack, saysLength: boolean): HttpStack {
  return {
    getName: () => 'checked',
    createRequest: (method, url) => {
      const request = plain.createRequest(method, url)
      const send = request.send.bind(request)
      request.send = async (body: Blob | null) =>
        body ? send(await withChecksum(request, body, saysLength)) : send(body)
      return request
    },
  }
}

async function withChecksum(request: HttpRequest, body: Blob, saysLength: boolean) {
  const bytes = new Uint8Array(await body.arrayBuffer())
  if (saysLength) request.setHeader('Content-Length', String(bytes.length))
  request.setHeader('Upload-Checksum', `sha256 ${await checksum(bytes)}`)
  return bytes
}

const haltNames: readonly Reason['name'][] = [
  'not_signed_in',
  'session_replaced',
  'storage_full',
  'disk_full',
]
const waitStatuses = [409, 423, 429, 460]

function outcomeOf(error: Error | DetailedError): Outcome {
  const response = 'originalResponse' in error ? error.originalResponse : null
  if (!response || response.getStatus() === 0) return { kind: 'cut' }
  const status = response.getStatus()
  const reason = reasonOf(response.getBody(), status)
  if (haltNames.includes(reason.name)) return { kind: 'halt', reason }
  if (waitStatuses.includes(status) || status >= 500) return { kind: 'busy', reason }
  return { kind: 'refused', reason }
}

/** The server answers `{ code, message, data }`; a proxy in between may answer anything. */
function reasonOf(body: string, status: number): Reason {
  const code = codeIn(body)
  const names = Object.keys(errors) as ErrorName[] // The table's own keys.
  const byCode = names.find((name) => errors[name].code === code)
  const byStatus = names.find((name) => errors[name].status === status && status !== 200)
  return { name: byCode ?? byStatus ?? 'internal', params: {} }
}

function codeIn(body: string): unknown {
  try {
    const parsed: unknown = JSON.parse(body)
    return typeof parsed === 'object' && parsed && 'code' in parsed ? parsed.code : null
  } catch {
    return null
  }
}
