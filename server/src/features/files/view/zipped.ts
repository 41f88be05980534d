import { createHash } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { viewing as limits } from '@neuroloom/contract/limits'
import type { Context } from '../../../infra/context.ts'
import { newId } from '../../../infra/ids.ts'
import { openZip } from '../unpack/zip.ts'
import { readerFolder } from './folders.ts'
import type { ViewSource } from './make.ts'

/** A file of a stored zip that we made ourselves, as something to be looked at; null where it is not in there. */
export async function fileInZip(
  ctx: Context,
  sha256: string,
  name: string,
): Promise<ViewSource['files'][number] | null> {
  const folder = join(readerFolder(ctx), newId())
  await mkdir(folder, { recursive: true })
  const path = join(folder, 'archive')
  await ctx.storage.linkInto(sha256, path)
  const zip = await openZip(path)
  try {
    const wanted = new Set<number>()
    for await (const entry of zip.list())
      if (textOf(entry.name) === name && entry.sizeBytes <= limits.pixelBytes) wanted.add(entry.index)
    for await (const { open } of zip.read(wanted)) {
      const bytes = await buffer(await open())
      const digest = createHash('sha256').update(bytes).digest('hex')
      return { name, sha256: digest, sizeBytes: bytes.length, bytes }
    }
    return null
  } finally {
    await zip.close()
    await rm(folder, { recursive: true, force: true })
  }
}

const textOf = (name: string | Uint8Array): string =>
  typeof name === 'string' ? name : Buffer.from(name).toString('utf8')
