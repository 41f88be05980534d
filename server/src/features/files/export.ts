import { and, asc, eq, gt, isNotNull, isNull, type SQL } from 'drizzle-orm'
import { fileName } from '../../http/bytes.ts'
import { type ArchivedFile, freeNames } from '../../infra/archive.ts'
import type { Context } from '../../infra/context.ts'
import { exportTextScans } from './burned-in/export.ts'
import { exportConversions } from './convert/export.ts'
import { exportRecords } from './patients/deidentification.ts'
import { exportSharing } from './sharing/export.ts'
import { type FileRow, files } from './tables.ts'

/** Entries of one folder that are read at once. */
const PAGE = 500

/** Every stored file under the path of its folder; what lies in the recycle station has a folder of its own. */
export async function* exportOf(ctx: Context, userId: string): AsyncIterable<ArchivedFile> {
  const own = eq(files.ownerId, userId)
  const isLive = isNull(files.recycledAt)
  yield* below(ctx, { path: 'files', where: and(own, isNull(files.parentId), isLive) })
  yield* below(ctx, { path: 'recycled', where: and(own, isNotNull(files.recycledAt)) })
  yield* exportRecords(ctx, userId)
  yield* exportSharing(ctx, userId)
  yield* exportConversions(ctx, userId)
  yield* exportTextScans(ctx, userId)
}

/** Folder by folder: only the one under way, and those above it, are held. */
async function* below(
  ctx: Context,
  { path, where }: { path: string; where: SQL | undefined },
): AsyncIterable<ArchivedFile> {
  const freeName = freeNames()
  for await (const { id, kind, name, sha256, modifiedAt } of entriesOf(ctx, where)) {
    const place = `${path}/${freeName(fileName(name))}`
    if (kind === 'folder') {
      yield* below(ctx, { path: place, where: and(eq(files.parentId, id), isNull(files.recycledAt)) })
    } else if (sha256 !== null) {
      yield { path: place, modifiedAt, isText: false, read: () => ctx.storage.read(sha256) }
    }
  }
}

async function* entriesOf(ctx: Context, where: SQL | undefined): AsyncIterable<FileRow> {
  let after = ''
  for (;;) {
    const page = await ctx.db
      .select()
      .from(files)
      .where(and(where, gt(files.id, after)))
      .orderBy(asc(files.id))
      .limit(PAGE)
    yield* page
    const last = page.at(-1)
    if (page.length < PAGE || !last) return
    after = last.id
  }
}
