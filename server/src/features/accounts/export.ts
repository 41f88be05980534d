/** Everything that is a member's own, as one archive: each feature adds its part. */
import type { Answer } from '@neuroloom/contract/calls'
import { files as limits } from '@neuroloom/contract/limits'
import { desc, eq } from 'drizzle-orm'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Caller } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import { type ArchivedFile, archiveOf, jsonFile } from '../../infra/archive.ts'
import { audit } from '../../infra/audit.ts'
import type { Context } from '../../infra/context.ts'
import { notices } from '../../infra/notices.ts'
import { holderClaims, verifyLink } from './access.ts'
import { deedsOf } from './history.ts'
import { shown as shownNotice } from './message-box.ts'
import { profileOf } from './profile.ts'
import { latestOf, shown as shownSignIn } from './sign-in/sign-ins.ts'
import { partners, users } from './tables.ts'

const EXPORT_PATH = '/AI/api/user/archive'

export async function exportLink(
  ctx: Context,
  _body: unknown,
  caller: Caller,
): Promise<Answer<'user/export'>> {
  const claims = { kind: 'export', id: caller.user.id, ...holderClaims(caller) }
  return { url: `${EXPORT_PATH}?${ctx.links.sign(claims, limits.linkMs)}` }
}

export function addExportRoute(app: FastifyInstance, ctx: Context): void {
  const underWay = new Set<string>()
  app.get(EXPORT_PATH, { exposeHeadRoute: false }, async (request, reply) => {
    const { userId } = await verifyLink(ctx, request.query, 'export')
    // Reading everything is work: one at a time for each member.
    if (underWay.has(userId)) throw fail('busy')
    underWay.add(userId)
    reply.raw.once('close', () => underWay.delete(userId))
    await audit(ctx.db, {
      actor: userId,
      action: 'account.export',
      subject: `user:${userId}`,
      address: request.ip,
    })
    return send(reply, archiveOf(everything(ctx, userId)), ctx.now())
  })
}

const send = (reply: FastifyReply, archive: ReturnType<typeof archiveOf>, now: Date): FastifyReply =>
  reply
    .header('content-type', 'application/zip')
    .header('content-disposition', `attachment; filename="neuroloom-${now.toISOString().slice(0, 10)}.zip"`)
    .header('cache-control', 'private, no-store')
    .header('x-content-type-options', 'nosniff')
    .send(archive)

async function* everything(ctx: Context, userId: string): AsyncIterable<ArchivedFile> {
  yield jsonFile('account.json', await accountOf(ctx, userId))
  for (const exportOf of ctx.told('exportOf')) yield* exportOf(ctx, userId)
}

async function accountOf(ctx: Context, userId: string): Promise<object> {
  const [row] = await ctx.db.select().from(users).where(eq(users.id, userId))
  if (!row) throw fail('link_expired')
  const own = await ctx.db.select().from(notices).where(eq(notices.userId, userId)).orderBy(desc(notices.id))
  return {
    // With the document number masked, as everywhere: a session alone must not give it away.
    profile: profileOf(ctx, row),
    signIns: (await latestOf(ctx.db, userId)).map(shownSignIn),
    partner: await partnerNameOf(ctx, row.partnerId),
    history: await deedsOf(ctx, userId),
    notices: own.map((notice) => ({ ...shownNotice(notice), readAt: notice.readAt })),
  }
}

/** Of the other system that may sign the member in; null where there is none. */
async function partnerNameOf({ db }: Context, id: string | null): Promise<string | null> {
  if (id === null) return null
  const [row] = await db.select({ name: partners.name }).from(partners).where(eq(partners.id, id))
  return row?.name ?? null
}
