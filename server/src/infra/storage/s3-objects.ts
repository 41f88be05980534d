/** Objects of one S3 bucket: sends, opens, lists and deletes them, each with bounded patience. Knows no digests and no rows. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { objectStore } from '@neuroloom/contract/limits'
import type { S3Config } from '../../config.ts'
import { sideBySide } from '../side-by-side.ts'
import { type Patience, StoreFailure, withPatience } from './s3-patience.ts'

export type Objects = ReturnType<typeof openObjects>
type Opened = { body: Readable; sizeBytes: number }

export function openObjects(config: S3Config, patience: Patience = objectStore) {
  const client = openClient(config, patience)
  const Bucket = config.bucket
  const patiently = <T>(what: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> =>
    withPatience({ what, patience, signal }, work)

  /** A slice of a file as one request; each attempt reads the file anew, so that memory holds none of it. */
  const sendSlice = <T>(slice: Slice, signal: AbortSignal, send: SendBody<T>): Promise<T> =>
    patiently(
      'sending',
      async () => {
        const { body, whole } = await bodyOf(slice, signal)
        try {
          return await send(body, whole)
        } finally {
          if (body.Body instanceof Readable) body.Body.destroy()
        }
      },
      signal,
    )

  async function putParts(Key: string, { path, size }: File, signal: AbortSignal): Promise<void> {
    const { UploadId } = await patiently(
      'beginning',
      () => client.send(new CreateMultipartUploadCommand({ Bucket, Key }), { abortSignal: signal }),
      signal,
    )
    const one = { Bucket, Key, UploadId }
    try {
      const Parts = await eachSlice({ path, size, partBytes: patience.partBytes }, async (slice, number) => {
        const numbered = { ...one, PartNumber: number }
        const { ETag } = await sendSlice(slice, signal, (body, abortSignal) =>
          client.send(new UploadPartCommand({ ...numbered, ...body }), { abortSignal }),
        )
        return { ETag, PartNumber: number }
      })
      const complete = { ...one, MultipartUpload: { Parts } }
      await patiently(
        'completing',
        () => client.send(new CompleteMultipartUploadCommand(complete), { abortSignal: signal }),
        signal,
      )
    } catch (error) {
      // The first attempt may have done it although its answer was lost; whoever sends looks whether it is there.
      if (error instanceof StoreFailure && error.code === 'NoSuchUpload') return
      await client
        .send(new AbortMultipartUploadCommand(one), { abortSignal: shortly() })
        .catch(() => undefined)
      throw error
    }
  }

  return {
    /** The object exists whole when this returns, or not at all. */
    async put(Key: string, file: File, signal: AbortSignal): Promise<void> {
      if (file.size > patience.partBytes) return putParts(Key, file, signal)
      const slice = { path: file.path, start: 0, size: file.size }
      await sendSlice(slice, signal, (body, abortSignal) =>
        client.send(new PutObjectCommand({ Bucket, Key, ...body }), { abortSignal }),
      )
    },

    /** One attempt; from a byte on, to another one included. Fails as `NoSuchKey` where there is none. */
    async open(
      Key: string,
      { start, end }: { start: number; end?: number | undefined },
      signal: AbortSignal,
    ) {
      const isWhole = start === 0 && end === undefined
      const Range = isWhole ? undefined : `bytes=${start}-${end ?? ''}`
      try {
        const got = await client.send(new GetObjectCommand({ Bucket, Key, Range }), { abortSignal: signal })
        if (!(got.Body instanceof Readable) || got.ContentLength === undefined)
          throw new Error('No bytes came')
        // A store that knows no ranges would give the wrong bytes.
        if (Range && !got.ContentRange) throw new Error('The whole came instead of a range')
        return { body: got.Body, sizeBytes: got.ContentLength } satisfies Opened
      } catch (error) {
        throw new StoreFailure('reading', error)
      }
    },

    async *list(Prefix: string, signal?: AbortSignal): AsyncIterable<{ key: string; sizeBytes: number }> {
      let ContinuationToken: string | undefined
      do {
        const limit = signal ?? shortly()
        const page = await patiently(
          'listing',
          () =>
            client.send(new ListObjectsV2Command({ Bucket, Prefix, ContinuationToken }), {
              abortSignal: limit,
            }),
          limit,
        )
        for (const { Key, Size } of page.Contents ?? []) {
          if (Key !== undefined) yield { key: Key, sizeBytes: Size ?? 0 }
        }
        ContinuationToken = page.IsTruncated ? page.NextContinuationToken : undefined
      } while (ContinuationToken !== undefined)
    },

    /** Also when there is none. */
    async delete(Key: string, signal = shortly()): Promise<void> {
      const wish = new DeleteObjectCommand({ Bucket, Key })
      await patiently('deleting', () => client.send(wish, { abortSignal: signal }), signal)
    },
  }
}

const shortly = (): AbortSignal => AbortSignal.timeout(objectStore.graceMs)

const nothing = (): void => undefined
const silent = { debug: nothing, info: nothing, warn: nothing, error: nothing }

function openClient(config: S3Config, { idleMs }: Patience): S3Client {
  // The client would tell operators at every start which Node it will want next year.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true'
  return new S3Client({
    ...(config.endpoint === undefined ? {} : { endpoint: config.endpoint }),
    region: config.region,
    forcePathStyle: config.pathStyle,
    credentials: { accessKeyId: config.accessKeyId, secretAccessKey: config.secretAccessKey },
    // Other makers' stores keep the frames of streamed checksums as if they were bytes.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // It would write to the console of what is told in our own words.
    logger: silent,
    // Attempts are ours: the client repeats no streams.
    maxAttempts: 1,
    requestHandler: {
      connectionTimeout: objectStore.connectMs,
      socketTimeout: idleMs,
      // A slow reader holds his line; others must not wait for it.
      httpAgent: { maxSockets: Number.POSITIVE_INFINITY },
      httpsAgent: { maxSockets: Number.POSITIVE_INFINITY },
    },
  })
}

type File = { path: string; size: number }
type Slice = File & { start: number }
type Body = { Body: Readable | Buffer; ContentLength: number; ContentMD5: string }
/** `whole`: also ends when the file cannot be read to its end. */
type Sending = { body: Body; whole: AbortSignal }
type SendBody<T> = (body: Body, signal: AbortSignal) => Promise<T>

/** With its MD5, which every maker's store compares before it keeps anything. */
async function bodyOf({ path, start, size }: Slice, signal: AbortSignal): Promise<Sending> {
  const open = () => createReadStream(path, { start, end: start + size - 1 })
  const hash = createHash('md5')
  if (size > 0) await pipeline(open(), hash, { signal })
  const ContentMD5 = hash.digest('base64')
  if (size === 0) return { body: { Body: Buffer.alloc(0), ContentLength: 0, ContentMD5 }, whole: signal }
  const Body = open()
  const broken = new AbortController()
  // The client would wait for the rest of a file that cannot be read.
  Body.once('error', (error) => broken.abort(error))
  return { body: { Body, ContentLength: size, ContentMD5 }, whole: AbortSignal.any([signal, broken.signal]) }
}

/** What was answered to each, in the order of their numbers. */
async function eachSlice<T>(
  { path, size, partBytes }: File & { partBytes: number },
  send: (slice: Slice, number: number) => Promise<T>,
): Promise<T[]> {
  const bytes = Math.max(partBytes, Math.ceil(size / objectStore.parts))
  const count = Math.ceil(size / bytes)
  const results: T[] = []
  await sideBySide(Array(count).keys(), objectStore.partsAtOnce, async (index) => {
    const start = index * bytes
    results[index] = await send({ path, start, size: Math.min(bytes, size - start) }, index + 1)
  })
  return results
}
