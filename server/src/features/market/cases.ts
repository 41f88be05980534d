/** Finished work that service providers show: public, or kept for themselves. */
import { roles } from '@neuroloom/contract/accounts/roles'
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { market as limits } from '@neuroloom/contract/limits'
import type { Case, CaseCard } from '@neuroloom/contract/market/provider'
import { and, asc, desc, eq, ilike, inArray, isNull, or } from 'drizzle-orm'
import type { Caller } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import { containing, type Tx } from '../../infra/db.ts'
import { newId } from '../../infra/ids.ts'
import { users } from '../accounts/tables.ts'
import { lockMember } from '../payments/service.ts'
import { requireCase } from './access.ts'
import { keepFiles, pickFiles, pictureType, pictureUrl } from './files.ts'
import { type CaseRow, type MarketFileRow, marketCases, marketFiles } from './tables.ts'

export async function list(
  ctx: Context,
  { own, search, task, page }: Parsed<'case/list'>,
  caller: Caller,
): Promise<Answer<'case/list'>> {
  const where = and(
    own ? eq(marketCases.providerId, caller.user.id) : isShown,
    task === null ? undefined : eq(marketCases.task, task),
    search === ''
      ? undefined
      : or(ilike(marketCases.title, containing(search)), ilike(marketCases.text, containing(search))),
  )
  const found = () =>
    ctx.db
      .select({ row: marketCases })
      .from(marketCases)
      .innerJoin(users, eq(users.id, marketCases.providerId))
      .where(where)
  const rows = await found()
    .orderBy(desc(marketCases.createdAt), desc(marketCases.id))
    .limit(limits.page)
    .offset((page - 1) * limits.page)
  return {
    cases: await cardsOfCases(
      ctx,
      rows.map(({ row }) => row),
      caller,
    ),
    total: await ctx.db.$count(found().as('found')),
    pageSize: limits.page,
  }
}

/** Public, and of a provider who is there; joined with users. */
const isShown = and(eq(marketCases.isPublic, true), eq(users.role, roles.provider), isNull(users.cancelledAt))

export async function detail(
  ctx: Context,
  { id }: Parsed<'case/detail'>,
  caller: Caller,
): Promise<Answer<'case/detail'>> {
  return describe(ctx, await requireCase(ctx.db, caller.user, id), caller)
}

async function describe(ctx: Context, row: CaseRow, caller: Caller): Promise<Case> {
  const [card] = await cardsOfCases(ctx, [row], caller)
  if (!card) throw fail('case_missing')
  const pictures = await picturesOf(ctx, [row.id])
  return {
    ...{ ...card, text: row.text, figures: row.figures },
    pictures: pictures.map(({ id, name, sizeBytes }) => ({
      ...{ id, name, sizeBytes, url: pictureUrl(ctx, caller, id) },
    })),
  }
}

const picturesOf = (ctx: Context, caseIds: readonly string[]): Promise<MarketFileRow[]> =>
  ctx.db
    .select()
    .from(marketFiles)
    .where(inArray(marketFiles.caseId, [...caseIds]))
    .orderBy(asc(marketFiles.position), asc(marketFiles.id))

/** In the order of the rows. */
export async function cardsOfCases(
  ctx: Context,
  rows: readonly CaseRow[],
  caller: Caller,
): Promise<CaseCard[]> {
  const pictures = await picturesOf(
    ctx,
    rows.map(({ id }) => id),
  )
  const providerIds = rows.map(({ providerId }) => providerId)
  const named = await ctx.db
    .select({ id: users.id, nickName: users.nickName })
    .from(users)
    .where(inArray(users.id, [...new Set(providerIds)]))
  const names = new Map(named.map(({ id, nickName }) => [id, nickName]))
  return rows.map(({ id, title, task, providerId, isPublic, createdAt }) => {
    const cover = pictures.find(({ caseId }) => caseId === id)
    return {
      ...{ id, title, task, isPublic, isOwn: providerId === caller.user.id },
      provider: { id: providerId, nickName: names.get(providerId) ?? '' },
      cover: cover ? pictureUrl(ctx, caller, cover.id) : null,
      createdAt: createdAt.toISOString(),
    }
  })
}

/** Pictures are for everybody: those that name a patient are refused, and so is what browsers do not show. */
export async function save(
  ctx: Context,
  { id, fileIds, keep, ...said }: Parsed<'case/save'>,
  caller: Caller,
): Promise<Answer<'case/save'>> {
  const { user } = caller
  if (user.role !== roles.provider) throw fail('not_allowed')
  const pictures = await pickFiles(ctx, user, { ids: fileIds, withPatients: false })
  if (pictures.some(({ name }) => pictureType(name) === null)) throw fail('case_pictures')
  const caseId = id ?? newId()
  await ctx.db.transaction(async (tx) => {
    if (!(await lockMember(tx, user.id))) throw fail('not_allowed')
    if (id === null) await add(ctx, tx, { ...said, id: caseId, providerId: user.id })
    else await change(ctx, tx, { ...said, id, providerId: user.id })
    await keepFiles(tx, pictures, { caseId, keep })
  })
  const [row] = await ctx.db.select().from(marketCases).where(eq(marketCases.id, caseId))
  if (!row) throw fail('case_missing')
  return describe(ctx, row, caller)
}

type Said = Omit<Parsed<'case/save'>, 'id' | 'fileIds' | 'keep'> & { id: string; providerId: string }

async function add(ctx: Context, tx: Tx, said: Said): Promise<void> {
  const limit = limits.cases
  if ((await tx.$count(marketCases, eq(marketCases.providerId, said.providerId))) >= limit)
    throw fail('case_limit', { limit })
  await tx.insert(marketCases).values({ ...said, createdAt: ctx.now(), changedAt: ctx.now() })
}

async function change(ctx: Context, tx: Tx, { id, providerId, ...said }: Said): Promise<void> {
  const rows = await tx
    .update(marketCases)
    .set({ ...said, changedAt: ctx.now() })
    .where(and(eq(marketCases.id, id), eq(marketCases.providerId, providerId)))
    .returning({ id: marketCases.id })
  if (rows.length === 0) throw fail('case_missing')
}

export async function remove(
  ctx: Context,
  { id }: Parsed<'case/remove'>,
  { user }: Caller,
): Promise<Answer<'case/remove'>> {
  const rows = await ctx.db
    .delete(marketCases)
    .where(and(eq(marketCases.id, id), eq(marketCases.providerId, user.id)))
    .returning({ id: marketCases.id })
  if (rows.length === 0) throw fail('case_missing')
  return {}
}
