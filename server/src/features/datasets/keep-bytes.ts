import { createHash } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { WorkerContext } from '../../infra/context.ts'
import { newId } from '../../infra/ids.ts'

/** Stores bytes that were made of a file of a data set; `addBlobs` has to announce them. */
export async function keepBytes(
  ctx: WorkerContext,
  bytes: Buffer,
): Promise<{ sha256: string; sizeBytes: number }> {
  const folder = join(ctx.storage.stagingFolder, 'made', newId())
  await mkdir(folder, { recursive: true })
  try {
    const staged = join(folder, 'file')
    await writeFile(staged, bytes)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    await ctx.storage.adopt(staged, sha256)
    return { sha256, sizeBytes: bytes.length }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
