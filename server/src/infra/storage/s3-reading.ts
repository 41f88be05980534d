/** Finds and reads what lies in S3 under a digest; `storage-s3.ts` says how it lies there. Writes nothing. */
import { Readable } from 'node:stream'
import { objectStore } from '@neuroloom/contract/limits'
import { checkDigest } from './files.ts'
import type { Objects } from './s3-objects.ts'
import { isPassing, type Patience, pause, StoreFailure } from './s3-patience.ts'
import type { ByteRange } from './storage.ts'

export type Generation = { key: string; sha256: string; at: Date; sizeBytes: number }
type GenerationsOf = (sha256: string, signal?: AbortSignal) => Promise<Generation[]>

export function findIn(objects: Objects, prefix: string) {
  /** In the order of their names; of all digests, or of one. */
  async function* generations(below: string, signal?: AbortSignal): AsyncIterable<Generation> {
    for await (const { key, sizeBytes } of objects.list(prefix + below, signal)) {
      const found = /^([0-9a-f]{64})\/(\d{14})-[0-9a-f]{16}$/.exec(key.slice(prefix.length))
      // Whatever else somebody keeps in the bucket is not ours.
      if (found?.[1] && found[2]) yield { key, sha256: found[1], at: new Date(Number(found[2])), sizeBytes }
    }
  }

  /** The last one counts. */
  const generationsOf: GenerationsOf = async (sha256, signal) => {
    checkDigest(sha256)
    const found: Generation[] = []
    for await (const one of generations(`${sha256}/`, signal)) found.push(one)
    return found.sort((one, other) => (one.key < other.key ? -1 : 1))
  }
  return { generations, generationsOf }
}

type Source = { objects: Objects; generationsOf: GenerationsOf; patience: Patience }

export function readFrom({ objects, generationsOf, patience }: Source) {
  const keys = rememberedKeys()

  async function find(sha256: string): Promise<Generation> {
    const newest = (await generationsOf(sha256)).at(-1)
    if (!newest) {
      keys.forget(sha256)
      throw Object.assign(new Error(`ENOENT: the store has no bytes ${sha256}`), { code: 'ENOENT' })
    }
    keys.remember(sha256, newest.key)
    return newest
  }

  /** From where the bytes are known to be; they may meanwhile lie under a newer name. */
  async function open(sha256: string, range: { start: number; end?: number }, signal: AbortSignal) {
    for (let tries = 1; ; tries += 1) {
      const key = keys.get(sha256) ?? (await find(sha256)).key
      try {
        return await objects.open(key, range, signal)
      } catch (error) {
        keys.forget(sha256)
        if (tries === 3 || !(error instanceof StoreFailure && error.code === 'NoSuchKey')) throw error
      }
    }
  }

  /** Goes on where the line was cut: what lies under a digest never changes. */
  async function* bytesOf(sha256: string, range: ByteRange | undefined, signal: AbortSignal) {
    let start = range?.start ?? 0
    let end = range?.end
    for (let failures = 0; end === undefined || start <= end; ) {
      try {
        const { body, sizeBytes } = await open(sha256, end === undefined ? { start } : { start, end }, signal)
        end = start + sizeBytes - 1
        for await (const chunk of body) {
          start += chunk.length
          failures = 0
          yield chunk
        }
        if (start <= end) throw Object.assign(new Error('The answer ended early'), { code: 'ECONNRESET' })
      } catch (error) {
        failures += 1
        if (signal.aborted || failures >= patience.attempts || !isPassing(error)) {
          throw isPassing(error) && !(error instanceof StoreFailure)
            ? new StoreFailure('reading', error)
            : error
        }
        await pause(failures, patience, signal)
      }
    }
  }

  return { find, bytesOf, remember: keys.remember, forget: keys.forget }
}

/** Asks for nothing before it is read; ends its request when it is closed. */
export function streamOf(open: (signal: AbortSignal) => AsyncGenerator<Uint8Array>): Readable {
  const closed = new AbortController()
  const bytes = open(closed.signal)
  return new Readable({
    read() {
      bytes.next().then(
        ({ done, value }) => this.push(done ? null : value),
        (error: Error) => this.destroy(error),
      )
    },
    destroy(error, done) {
      closed.abort()
      done(error)
    },
  })
}

/** The last few, so that a picture asked for again and again is not searched each time. */
function rememberedKeys() {
  const keys = new Map<string, string>()
  return {
    get: (sha256: string) => keys.get(sha256),
    forget: (sha256: string) => void keys.delete(sha256),
    remember(sha256: string, key: string) {
      keys.delete(sha256)
      keys.set(sha256, key)
      const [oldest] = keys.keys()
      if (keys.size > objectStore.knownKeys && oldest !== undefined) keys.delete(oldest)
    },
  }
}
