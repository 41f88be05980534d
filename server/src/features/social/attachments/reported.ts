/** What went with reported content: kept with the report, and opened by administrators alone. */
import { roles } from '@neuroloom/contract/accounts/roles'
import { social as limits } from '@neuroloom/contract/limits'
import type { Attachment, Opened } from '@neuroloom/contract/social/attachments'
import type { SocialReport } from '@neuroloom/contract/social/posts'
import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import type { Caller } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import type { Db, Tx } from '../../../infra/db.ts'
import { type Holder, holderClaims, verifyLink } from '../../accounts/access.ts'
import { users } from '../../accounts/tables.ts'
import type { ReportRow } from '../moderation/tables.ts'
import { imageIds } from './attach.ts'
import { nameOf, openOthers, sendImage } from './open.ts'
import { images, reportImages } from './tables.ts'

const PATH = '/AI/api/office/socialImage'

/** Also where their sender takes them back afterwards. */
export async function keepForReport(
  tx: Tx,
  reportId: string,
  attachments: readonly Attachment[] | null,
): Promise<void> {
  const ids = imageIds(attachments)
  if (ids.length === 0) return
  const rows = await tx.select().from(images).where(inArray(images.id, ids))
  if (rows.length === 0) return
  await tx
    .insert(reportImages)
    .values(rows.map(({ id, sha256, previewSha256 }) => ({ reportId, imageId: id, sha256, previewSha256 })))
}

/** Of each report, in the order of its attachments. */
export async function openReported(
  ctx: Context,
  caller: Caller,
  reports: readonly Pick<ReportRow, 'id' | 'attachments'>[],
): Promise<Map<string, Reported[]>> {
  const ids = reports.filter(({ attachments }) => attachments !== null).map(({ id }) => id)
  const rows = await ctx.db
    .select({ reportId: reportImages.reportId, imageId: reportImages.imageId })
    .from(reportImages)
    .where(inArray(reportImages.reportId, ids))
  const kept = new Set(rows.map(({ reportId, imageId }) => `${reportId} ${imageId}`))
  // As whoever decides may see them.
  const others = await openOthers(
    ctx,
    caller,
    reports.flatMap(({ attachments }) => sentOf(attachments)).slice(0, limits.opened),
  )
  return new Map(
    reports.map(({ id: reportId, attachments }) => [
      reportId,
      sentOf(attachments).map((attachment) => {
        if (attachment.kind !== 'image') return { attachment, opened: others.get(nameOf(attachment)) ?? null }
        const which = { id: reportId, image: attachment.id }
        const isKept = kept.has(`${reportId} ${attachment.id}`)
        return { attachment, opened: isKept ? openedImage(ctx, caller, which) : null }
      }),
    ]),
  )
}

type Sent = Exclude<Attachment, { kind: 'round' | 'opinion' }>

/** Rounds and second opinions say in the text of their message what they are, and are shown to nobody but those in them. */
const sentOf = (attachments: readonly Attachment[] | null): Sent[] =>
  (attachments ?? []).flatMap((one) => (one.kind === 'round' || one.kind === 'opinion' ? [] : [one]))

type Reported = SocialReport['attachments'][number]
type Which = { id: string; image: string }

function openedImage(ctx: Context, holder: Holder, which: Which): Opened {
  const claims = { kind: 'reportImage', ...which, ...holderClaims(holder) }
  const urlOf = (size: string) => `${PATH}?${ctx.links.sign({ ...claims, size }, limits.imageLinkMs)}`
  return { kind: 'image', url: urlOf('whole'), previewUrl: urlOf('preview') }
}

export function addReportImageRoute(app: FastifyInstance, ctx: Context): void {
  app.get(PATH, async (request, reply) => {
    const { id, image = '', userId, size } = await verifyLink(ctx, request.query, 'reportImage')
    if (!(await isAdministrator(ctx.db, userId))) throw fail('missing')
    const [kept] = await ctx.db
      .select()
      .from(reportImages)
      .where(and(eq(reportImages.reportId, id), eq(reportImages.imageId, image)))
    if (!kept) throw fail('missing')
    return sendImage(ctx, { ...kept, id: image, size }, { request, reply })
  })
}

async function isAdministrator(db: Db, userId: string): Promise<boolean> {
  const isIt = and(eq(users.id, userId), eq(users.role, roles.administrator), isNull(users.cancelledAt))
  return (await db.$count(users, isIt)) > 0
}
