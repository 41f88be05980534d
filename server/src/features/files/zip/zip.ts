import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { client, files as limits } from '@neuroloom/contract/limits'
import { and, eq, lt } from 'drizzle-orm'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Caller } from '../../../http/access.ts'
import { sendStream } from '../../../http/bytes.ts'
import { fail } from '../../../http/fail.ts'
import { archiveOf } from '../../../infra/archive.ts'
import type { Context } from '../../../infra/context.ts'
import { newId } from '../../../infra/ids.ts'
import { holderClaims, verifyLink } from '../../accounts/access.ts'
import { accessTo, requireEntries, type SeenEntry } from '../access.ts'
import { contentUrl } from '../links.ts'
import { record } from '../records/records.ts'
import { countOf } from '../recycle/recycle.ts'
import { sendWhile } from '../sending.ts'
import { type FileRow, files } from '../tables.ts'
import { idsOf } from '../transfer/transfer-plan.ts'
import { topmost } from '../tree.ts'
import { contentOf, type Sees } from './zip-content.ts'
import { zips } from './zip-tables.ts'

const ZIP_PATH = '/AI/api/files/zip'

export async function download(
  ctx: Context,
  { ids }: Parsed<'files/download'>,
  caller: Caller,
): Promise<Answer<'files/download'>> {
  const { user } = caller
  const entries = await topmost(ctx.db, await requireEntries(ctx.db, user, ids, 'view'))
  await record(
    ctx,
    ctx.db,
    entries.map((entry) => ({ action: 'download', actorId: user.id, entry, detail: countOf(entry) })),
  )
  const sizeBytes = entries.reduce((sum, entry) => sum + entry.sizeBytes, 0)
  const [only] = entries
  if (entries.length === 1 && only?.sha256) {
    const { id, sha256, name } = only
    return { url: contentUrl(ctx, caller, { id, sha256, mode: 'download' }), name, sizeBytes, isZip: false }
  }
  const id = newId()
  const name = `${await nameFor(ctx, entries)}.zip`
  await ctx.db
    .insert(zips)
    .values({ id, userId: user.id, entryIds: idsOf(entries), name, createdAt: ctx.now() })
  const claims = { kind: 'zip', id, ...holderClaims(caller) }
  return { url: `${ZIP_PATH}?${ctx.links.sign(claims, limits.linkMs)}`, name, sizeBytes, isZip: true }
}

export function addZipRoute(app: FastifyInstance, ctx: Context): void {
  const options = { exposeHeadRoute: false, handlerTimeout: client.downloadTimeoutMs }
  app.get(ZIP_PATH, options, async (request, reply) => {
    const { id, userId } = await verifyLink(ctx, request.query, 'zip')
    const [zip] = await ctx.db
      .select()
      .from(zips)
      .where(and(eq(zips.id, id), eq(zips.userId, userId)))
    if (!zip) throw fail('link_expired')
    const find = () => requireEntries(ctx.db, { id: userId }, zip.entryIds, 'view')
    // Looked at again now, and for as long as it is being sent.
    const entries = await find()
    for (const ownerId of new Set(entries.map((entry) => entry.ownerId))) {
      await sendWhile(ctx, reply, { ownerId, check: find })
    }
    const sees = async (ids: readonly string[]) =>
      new Set((await accessTo(ctx.db, { id: userId }, ids)).keys())
    return sendZip(ctx, reply, { name: zip.name, entries, sees })
  })
}

export const sendZip = (
  ctx: Context,
  reply: FastifyReply,
  { name, entries, sees }: { name: string; entries: readonly FileRow[]; sees: Sees },
): FastifyReply =>
  sendStream(reply, {
    name,
    contentType: 'application/zip',
    content: archiveOf(contentOf(ctx, entries, sees)),
  })

/** What was asked for and not fetched in time. */
export async function sweepZips(ctx: Context): Promise<void> {
  await ctx.db.delete(zips).where(lt(zips.createdAt, new Date(ctx.now().getTime() - limits.linkMs)))
}

/** Of the folder, or of the folder that all of them lie in. */
async function nameFor({ db }: Context, entries: readonly SeenEntry[]): Promise<string> {
  const [first] = entries
  if (first && entries.length === 1) return first.name
  const parents = new Set(entries.map(({ parentId }) => parentId))
  const [parentId] = parents
  if (parents.size > 1 || !parentId) return 'neuroloom'
  const [parent] = await db.select({ name: files.name }).from(files).where(eq(files.id, parentId))
  return parent?.name ?? 'neuroloom'
}
