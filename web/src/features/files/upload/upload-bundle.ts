/** One attempt to send several small files in one request; whatever it does not bring goes on one by one, by tus. */
import { SUCCESS_CODE } from '@neuroloom/contract/success'
import type { Bundle, BundleAnswer } from '@neuroloom/contract/uploads'
import { checksum } from './checksum.ts'
import type { Outcome, Sending, SendOptions, SendRequest } from './upload-send.ts'

export type SendMany = (requests: readonly SendRequest[]) => Sending[]

export function createBundler({ endpoint, headers }: Pick<SendOptions, 'endpoint' | 'headers'>): SendMany {
  return (requests) => {
    const abort = new AbortController()
    const post = async () => {
      const body = await bodyOf(requests)
      const response = await fetch(endpoint(), {
        method: 'POST',
        headers: { ...headers(), 'Content-Type': 'application/octet-stream' },
        body,
        signal: abort.signal,
      })
      return new Set(takenIn(await response.json()))
    }
    // Who is refused is told why by the other way.
    const taken = post().catch(() => new Set<string>())
    let running = requests.length
    return requests.map(({ upload }) => {
      let stop: (outcome: Outcome) => void = () => {}
      const stopped = new Promise<Outcome>((resolve) => {
        stop = resolve
      })
      const ended = taken.then((all): Outcome => ({ kind: all.has(upload) ? 'done' : 'cut' }))
      return {
        outcome: Promise.race([ended, stopped]),
        stop: () => {
          running -= 1
          if (running === 0) abort.abort()
          stop({ kind: 'stopped' })
        },
        location: () => null,
      }
    })
  }
}

/** In one piece: a blob of many would be read again bit by bit. */
async function bodyOf(requests: readonly SendRequest[]): Promise<Uint8Array<ArrayBuffer>> {
  const contents = await Promise.all(
    requests.map(async ({ file }) => new Uint8Array(await file.arrayBuffer())),
  )
  const checksums = await Promise.all(contents.map(checksum))
  const head: Bundle = {
    files: requests.map(({ upload }, index) => ({
      upload,
      sizeBytes: contents[index]?.length ?? 0,
      checksum: checksums[index] ?? '',
    })),
  }
  const pieces = [new TextEncoder().encode(`${JSON.stringify(head)}\n`), ...contents]
  const body = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    body.set(piece, at)
    at += piece.length
  }
  return body
}

/** A proxy in between may answer anything. */
function takenIn(answer: { code?: unknown; data?: Partial<BundleAnswer> }): string[] {
  return answer.code === SUCCESS_CODE ? (answer.data?.taken ?? []) : []
}
