import type { Context } from '../../../infra/context.ts'
import { Refusal } from '../../../infra/reader/model.ts'
import { checkDetachedName, detachedName, HEADER_BYTES } from '../../../infra/reader/volume/detached.ts'
import { partnerName } from '../../../infra/reader/volume/pairs.ts'
import type { Eyes } from '../access.ts'
import type { FileRow } from '../tables.ts'
import { findChild } from '../tree.ts'
import type { ViewSource } from './make.ts'

type OneFile = FileRow & { sha256: string }

/** The first bytes of a stored file. */
export async function headOf(
  ctx: Context,
  { sha256, sizeBytes }: Pick<OneFile, 'sha256' | 'sizeBytes'>,
  bytes: number,
): Promise<Buffer> {
  if (sizeBytes === 0) return Buffer.alloc(0)
  const parts: Buffer[] = []
  const range = { start: 0, end: Math.min(bytes, sizeBytes) - 1 }
  // The store gives buffers.
  for await (const part of ctx.storage.read(sha256, range)) parts.push(part as Buffer)
  return Buffer.concat(parts)
}

/** The file, and the one beside it that its header or its own name names, if whoever looks may see that. */
export async function sourceOf(ctx: Context, eyes: Eyes, file: OneFile): Promise<ViewSource> {
  const own = { name: file.name, sha256: file.sha256, sizeBytes: file.sizeBytes }
  const name = partnerName(file.name) ?? detachedName(await headOf(ctx, file, HEADER_BYTES))
  return { files: [own], siblings: name === null ? [] : await siblingNamed(ctx, eyes, { file, name }) }
}

async function siblingNamed(
  { db }: Context,
  eyes: Eyes,
  { file, name }: { file: OneFile; name: string },
): Promise<ViewSource['siblings']> {
  try {
    checkDetachedName(name)
  } catch (error) {
    // The reader gives the reason.
    if (error instanceof Refusal) return []
    throw error
  }
  const { ownerId, parentId } = file
  const found = await findChild(db, { ownerId, parentId, name: name.normalize('NFC') })
  if (!found?.sha256 || found.id === file.id) return []
  const seen = await eyes.among(file, [found.id])
  return seen.has(found.id) ? [{ name, sha256: found.sha256, sizeBytes: found.sizeBytes }] : []
}
