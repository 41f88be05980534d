import { buffer } from 'node:stream/consumers'
import { createGunzip } from 'node:zlib'
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { archives as limits } from '@neuroloom/contract/limits'
import { archiveKind } from '@neuroloom/contract/names/archive-names'
import { nameSamples, type StoredName } from '@neuroloom/contract/names/stored-names'
import { tarNames } from '@neuroloom/contract/names/tar-names'
import { type ReadPart, zipNames } from '@neuroloom/contract/names/zip-names'
import type { Caller } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import { requireFile } from '../access.ts'

/** What a page asks before it has an archive unpacked. */
export async function archiveNames(
  ctx: Context,
  { id }: Parsed<'files/archiveNames'>,
  { user }: Caller,
): Promise<Answer<'files/archiveNames'>> {
  const { name, sha256, sizeBytes } = await requireFile(ctx.db, user, id, 'edit')
  const kind = archiveKind(name)
  if (kind === null) throw fail('archive_unknown')
  const read: ReadPart = async (start, length) =>
    length === 0 ? new Uint8Array() : buffer(ctx.storage.read(sha256, { start, end: start + length - 1 }))
  const names = { zip: zipNames, tar: tarNames, 'tar.gz': packedTarNames }[kind]
  return { samples: nameSamples(await names(read, sizeBytes)) }
}

/** What its first bytes unpack to has names enough; a bomb gets no further either. */
async function packedTarNames(read: ReadPart, sizeBytes: number): Promise<StoredName[]> {
  const gunzip = createGunzip()
  gunzip.end(await read(0, Math.min(sizeBytes, limits.namesPackedBytes)))
  const pieces: Buffer[] = []
  let bytes = 0
  try {
    for await (const piece of gunzip) {
      pieces.push(piece)
      bytes += piece.length
      if (bytes >= limits.namesBytes) break
    }
  } catch {
    // Cut off in the middle: what came before counts.
  }
  const start = Buffer.concat(pieces)
  return tarNames(async (from, length) => start.subarray(from, from + length), start.length)
}
