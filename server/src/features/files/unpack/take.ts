import { createHash } from 'node:crypto'
import { open as openFile, rm } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type { Context } from '../../../infra/context.ts'
import { hintOfFile } from '../patients/hints.ts'
import type { TakenFile } from './keep.ts'
import type { PlannedFile } from './plan.ts'

type Source = { open: () => Promise<Readable>; path: string }

/** Writes one file of an archive to the disk and gives it to the store. Nothing stays of one that breaks off. */
export async function takeOut(ctx: Context, file: PlannedFile, { open, path }: Source): Promise<TakenFile> {
  const hash = createHash('sha256')
  let sizeBytes = 0
  const target = await openFile(path, 'w', 0o600)
  try {
    for await (const piece of await open()) {
      // A stream of bytes without an encoding gives buffers.
      const buffer = piece as Buffer
      hash.update(buffer)
      await target.writeFile(buffer)
      sizeBytes += buffer.length
    }
  } catch (error) {
    await rm(path, { force: true })
    throw error
  } finally {
    await target.close()
  }
  const sha256 = hash.digest('hex')
  try {
    const patientHint = await hintOfFile(path)
    await ctx.storage.adopt(path, sha256)
    return { file, sha256, sizeBytes, patientHint }
  } finally {
    await rm(path, { force: true })
  }
}
