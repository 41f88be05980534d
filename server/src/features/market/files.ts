/** Files of demands and deliveries: the bytes of own files of the cloud, kept here whatever becomes of those. */

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
import { holderClaims, verifyLink } from '../accounts/access.ts'
import { users } from '../accounts/tables.ts'
import { requireFile } from '../files/access.ts'
import { requireWord, sendWhile } from '../files/service.ts'
import { type Member, partOf, requireDemand } from './access.ts'
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

type Place = { demandId: string; deliveryId?: string; keep?: readonly string[] }

/** Adds them to a demand or to one of its deliveries; of those that a demand had, the ones in `keep` stay. */
export async function keepFiles(
  tx: Tx,
  picked: readonly PickedFile[],
  { demandId, deliveryId, keep }: Place,
): Promise<void> {
  const isHere =
    deliveryId === undefined ? isNull(marketFiles.deliveryId) : eq(marketFiles.deliveryId, deliveryId)
  const here = and(eq(marketFiles.demandId, demandId), isHere)
  if (keep) await tx.delete(marketFiles).where(and(here, notInArray(marketFiles.id, [...keep])))
  const had = await tx.$count(marketFiles, here)
  if (had + picked.length > limits.files) throw fail('market_files_limit', { limit: limits.files })
  const rows = picked.map((file, place) => ({
    ...{ ...file, id: newId(), demandId, deliveryId: deliveryId ?? null, position: had + place },
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

/** What is attached is for all who see the demand; what is delivered for the two alone, and for who decides a dispute. */
async function requireMarketFile(ctx: Context, user: Member, id: string): Promise<MarketFileRow> {
  const [row] = await ctx.db.select().from(marketFiles).where(eq(marketFiles.id, id))
  if (!row) throw fail('missing')
  const demand = await requireDemand(ctx.db, user, row.demandId).catch(() => {
    throw fail('missing')
  })
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
  const { name, sha256, sizeBytes } = await find()
  await sendWhile(ctx, reply, { ownerId: userId, check: find })
  const bytes = {
    ...{ sha256, sizeBytes, name: fileName(name) },
    contentType: 'application/octet-stream',
    disposition: 'attachment' as const,
  }
  return sendBytes(ctx.storage, bytes, { request, reply })
}
