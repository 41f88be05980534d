/** Stored archives, opened to be read. Nothing of them is executed. */
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from '../../../infra/context.ts'
import { newId } from '../../../infra/ids.ts'
import { type FoundEntry, openZip } from '../../files/service.ts'

type Archive = Awaited<ReturnType<typeof openZip>>

/** With its table of contents read, because entries are read by their places in it. */
export async function withEntries<Result>(
  path: string,
  use: (archive: Archive) => Promise<Result>,
): Promise<Result> {
  const archive = await openZip(path)
  try {
    const listed: FoundEntry[] = []
    for await (const entry of archive.list()) listed.push(entry)
    return await use(archive)
  } finally {
    await archive.close()
  }
}

/** The stored bytes at a path, as long as they are needed. */
export async function withStored<Result>(
  ctx: Context,
  sha256: string,
  use: (path: string) => Promise<Result>,
): Promise<Result> {
  const folder = join(ctx.storage.stagingFolder, 'code')
  const path = join(folder, newId())
  await mkdir(folder, { recursive: true })
  try {
    await ctx.storage.linkInto(sha256, path)
    return await use(path)
  } finally {
    await rm(path, { force: true })
  }
}
