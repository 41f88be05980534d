/** Tries at the start whether the configured bucket can be used, and says in a sentence why not. Shows no key. */
import type { S3Config } from '../../config.ts'
import { newId } from '../ids.ts'
import { openObjects } from './s3-objects.ts'
import { type Patience, StoreFailure } from './s3-patience.ts'

const LIMIT_MS = 20_000

/** Writes, finds, reads and deletes one object. */
export async function checkS3(config: S3Config, patience?: Patience): Promise<void> {
  const objects = openObjects(config, patience)
  const probe = `${config.prefix}probe-${newId()}`
  const limit = AbortSignal.timeout(LIMIT_MS)
  try {
    // Of any file: what is written counts for nothing.
    await objects.put(probe, { path: import.meta.filename, size: 10 }, limit)
    const found: string[] = []
    for await (const { key } of objects.list(probe, limit)) found.push(key)
    if (!found.includes(probe)) throw new Error('what was written is not listed')
    const { body } = await objects.open(probe, { start: 1, end: 2 }, limit)
    body.destroy()
    await objects.delete(probe, limit)
  } catch (error) {
    throw new Error(`the S3 bucket ${config.bucket} cannot be used: ${reasonOf(error, config)}`)
  }
}

function reasonOf(error: unknown, { endpoint, bucket, region }: S3Config): string {
  const where = endpoint ?? `Amazon's ${region}`
  if (!(error instanceof StoreFailure)) return error instanceof Error ? error.message : String(error)
  const { code, statusCode } = error
  if (code === 'NoSuchBucket') return `there is no bucket ${bucket} at ${where} (S3_BUCKET, S3_ENDPOINT)`
  if (code === 'InvalidAccessKeyId' || code === 'SignatureDoesNotMatch')
    return `${code}: check S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY and S3_REGION`
  if (code === 'AccessDenied') return `${code}: the key must be allowed to list, read, write and delete in it`
  if (code === 'PermanentRedirect' || code === 'AuthorizationHeaderMalformed')
    return `${code}: it lies in another region (S3_REGION)`
  return statusCode === 503 ? `${where} cannot be reached or is not well: ${error.message}` : error.message
}
