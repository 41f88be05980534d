/** Files of demands and deliveries, and pictures of cases: the bytes of own files of the cloud, kept here whatever becomes of those. */

import { roles } from '@neuroloom/contract/accounts/roles'
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { client, files as fileLimits, market as limits } from '@neuroloom/contract/limits'
import type { MarketFile } from '@neuroloom/contract/market/demand'
import { and, asc, eq, inArray, isNull, notInArray } from 'drizzle-orm'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller, SessionUser } from '../../http/access.ts'
import { fileName, sendBytes } from '../../http/bytes.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import type { Db, Tx } from '../../infra/db.ts'
import { newId } from '../../infra/ids.ts'
import { type Holder, holderClaims, verifyLink } from '../accounts/access.ts'
import { users } from '../accounts/tables.ts'
import { requireFile } from '../files/access.ts'
import { requireWord, sendWhile, shownTypes } from '../files/service.ts'
import { type Member, partOf, requireCase, requireDemand } from './access.ts'
import { type MarketFileRow, marketFiles } from './tables.ts'

const PATH = '/AI/api/market/content'
const KIND = 'market-file'

export type PickedFile = Pick<MarketFileRow, 'name' | 'sha256' | 'sizeBytes'>

/** Own files alone; those that name their patient only with the owner's word. */
export async function pickFiles(
  ctx: Context,
  user: SessionUser,
  { ids, withPatients }: { ids: readonly string[]; withPatients: boolean },
): Promise<PickedFile[]> {
  const wanted = [...new Set(ids)]
  const picked: PickedFile[] = []
  for (const id of wanted) {
    const { name, sha256, sizeBytes } = await requireFile(ctx.db, user, id, 'own')
    picked.push({ name, sha256, sizeBytes })
  }
  if (wanted.length > 0) await requireWord(ctx, wanted, { withPatients })
  return picked
}

type Place = {
  demandId?: string | null
  deliveryId?: string | null
  caseId?: string | null
  keep?: readonly string[]
}

/** Adds them to a demand, a delivery or a case; of those that it had, the ones in `keep` stay. */
export async function keepFiles(
  tx: Tx,
  picked: readonly PickedFile[],
  { keep, demandId = null, deliveryId = null, caseId = null }: Place,
): Promise<void> {
  const here = and(
    demandId === null ? isNull(marketFiles.demandId) : eq(marketFiles.demandId, demandId),
    deliveryId === null ? isNull(marketFiles.deliveryId) : eq(marketFiles.deliveryId, deliveryId),
    caseId === null ? isNull(marketFiles.caseId) : eq(marketFiles.caseId, caseId),
  )
  if (keep) await tx.delete(marketFiles).where(and(here, notInArray(marketFiles.id, [...keep])))
  const had = await tx.$count(marketFiles, here)
  const limit = caseId === null ? limits.files : limits.pictures
  if (had + picked.length > limit) throw fail('market_files_limit', { limit })
  const rows = picked.map((file, place) => ({
    ...{ ...file, id: newId(), demandId, deliveryId, caseId, position: had + place },
  }))
  if (rows.length > 0) await tx.insert(marketFiles).values(rows)
}

/** Of demands and their deliveries, in the order in which they were chosen. */
export const filesOf = (db: Db, demandIds: readonly string[]): Promise<MarketFileRow[]> =>
  db
    .select()
    .from(marketFiles)
    .where(inArray(marketFiles.demandId, [...demandIds]))
    .orderBy(asc(marketFiles.position), asc(marketFiles.id))

export const describeFile = ({ id, name, sizeBytes }: MarketFileRow): MarketFile => ({ id, name, sizeBytes })

export async function file(
  ctx: Context,
  { id }: Parsed<'market/file'>,
  caller: Caller,
): Promise<Answer<'market/file'>> {
  const { name, sizeBytes } = await requireMarketFile(ctx, caller.user, id)
  const claims = { kind: KIND, id, ...holderClaims(caller) }
  return { url: `${PATH}?${ctx.links.sign(claims, fileLimits.linkMs)}`, name, sizeBytes }
}

/** Where a picture of a case is shown from; the same rights as for its download. */
export function pictureUrl(ctx: Context, holder: Holder, id: string): string {
  const claims = { kind: KIND, id, ...holderClaims(holder) }
  return `${PATH}?${ctx.links.sign(claims, fileLimits.thumbnailLinkMs)}`
}

/** Of pictures that browsers show in place, by their name; null of everything else. */
export const pictureType = (name: string): string | null =>
  shownTypes.get(name.slice(name.lastIndexOf('.') + 1).toLowerCase()) ?? null

/** What is attached is for all who see the demand; what is delivered for the two alone, and for who decides a dispute. */
async function requireMarketFile(ctx: Context, user: Member, id: string): Promise<MarketFileRow> {
  const [row] = await ctx.db.select().from(marketFiles).where(eq(marketFiles.id, id))
  if (!row) throw fail('missing')
  const notFound = () => {
    throw fail('missing')
  }
  if (row.caseId !== null) await requireCase(ctx.db, user, row.caseId).catch(notFound)
  if (row.demandId === null) return row
  const demand = await requireDemand(ctx.db, user, row.demandId).catch(notFound)
  const isJudge = demand.state === 'disputed' && user.role === roles.administrator
  if (row.deliveryId !== null && partOf(demand, user) === null && !isJudge) throw fail('missing')
  return row
}

export function addFileRoute(app: FastifyInstance, ctx: Context): void {
  app.get(PATH, { handlerTimeout: client.downloadTimeoutMs }, (request, reply) => send(ctx, request, reply))
}

async function send(ctx: Context, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { id, userId } = await verifyLink(ctx, request.query, KIND)
  // Looked at again now, and for as long as it is being sent.
  const find = async () => {
    const [user] = await ctx.db.select().from(users).where(eq(users.id, userId))
    if (!user) throw fail('missing')
    return requireMarketFile(ctx, user, id)
  }
  const { name, sha256, sizeBytes, caseId } = await find()
  await sendWhile(ctx, reply, { ownerId: userId, check: find })
  const shownAs = caseId === null ? null : pictureType(name)
  const bytes = {
    ...{ sha256, sizeBytes, name: fileName(name) },
    contentType: shownAs ?? 'application/octet-stream',
    disposition: shownAs === null ? ('attachment' as const) : ('inline' as const),
  }
  return sendBytes(ctx.storage, bytes, { request, reply })
}
