import { and, asc, eq, gt } from 'drizzle-orm'
import { type ArchivedFile, jsonList } from '../../infra/archive.ts'
import type { Context } from '../../infra/context.ts'
import { labelExchanges } from './exchange/tables.ts'
import { proposalsOf } from './proposals/export.ts'
import {
  labelComments,
  labelItems,
  labelReaders,
  labelReadings,
  labelSets,
  labelSources,
  labelSteps,
} from './tables.ts'
import { stepOf } from './wholes.ts'

/** Sets of one's own with their images, and all that one marked, in one's own sets and in others', step by step. */
export async function* exportOf(ctx: Context, userId: string): AsyncIterable<ArchivedFile> {
  yield jsonList('label-sets.json', ownSets(ctx, userId))
  yield jsonList('label-readings.json', ownReadings(ctx, userId))
  yield jsonList('label-steps.json', ownSteps(ctx, userId))
  yield jsonList('label-exchanges.json', ownExchanges(ctx, userId))
  yield jsonList('label-comments.json', ownComments(ctx, userId))
  yield* proposalsOf(ctx, userId)
}

/** What went out and came in, with what was said of it. */
async function* ownExchanges({ db }: Context, userId: string): AsyncIterable<object> {
  const rows = await db
    .select()
    .from(labelExchanges)
    .where(eq(labelExchanges.memberId, userId))
    .orderBy(asc(labelExchanges.createdAt), asc(labelExchanges.id))
  for (const { memberId: _, leaseUntil: __, attempts: ___, ...told } of rows) yield told
}

async function* ownSets({ db }: Context, userId: string): AsyncIterable<object> {
  const sets = await db
    .select()
    .from(labelSets)
    .where(eq(labelSets.ownerId, userId))
    .orderBy(asc(labelSets.createdAt), asc(labelSets.id))
  for (const { ownerId: _, ...set } of sets) {
    const readers = await db
      .select({
        id: labelReaders.id,
        account: labelReaders.account,
        permission: labelReaders.permission,
        addedAt: labelReaders.addedAt,
      })
      .from(labelReaders)
      .where(eq(labelReaders.setId, set.id))
    const items = await db
      .select()
      .from(labelItems)
      .where(eq(labelItems.setId, set.id))
      .orderBy(asc(labelItems.position))
    const sources = await db
      .select({
        itemId: labelSources.itemId,
        role: labelSources.role,
        name: labelSources.name,
        sha256: labelSources.sha256,
        sizeBytes: labelSources.sizeBytes,
      })
      .from(labelSources)
      .innerJoin(labelItems, eq(labelItems.id, labelSources.itemId))
      .where(eq(labelItems.setId, set.id))
      .orderBy(asc(labelSources.itemId), asc(labelSources.place))
    const of = new Map<string, typeof sources>()
    for (const source of sources) of.set(source.itemId, [...(of.get(source.itemId) ?? []), source])
    yield { ...set, readers, items: items.map((item) => ({ ...item, sources: of.get(item.id) ?? [] })) }
  }
}

async function* ownReadings({ db }: Context, userId: string): AsyncIterable<object> {
  const readings = await db
    .select({ reading: labelReadings, set: labelSets.name, image: labelItems.name })
    .from(labelReadings)
    .innerJoin(labelItems, eq(labelItems.id, labelReadings.itemId))
    .innerJoin(labelSets, eq(labelSets.id, labelItems.setId))
    .where(eq(labelReadings.readerId, userId))
    .orderBy(asc(labelReadings.changedAt), asc(labelReadings.id))
  for (const { reading, ...named } of readings) yield { ...reading, ...named }
}

/** A few at a time: one may be megabytes, and there may be many thousand. */
async function* ownSteps({ db }: Context, userId: string): AsyncIterable<object> {
  const readings = await db
    .select({ id: labelReadings.id })
    .from(labelReadings)
    .where(eq(labelReadings.readerId, userId))
    .orderBy(asc(labelReadings.changedAt), asc(labelReadings.id))
  for (const { id: readingId } of readings)
    for (let after = 0; ; ) {
      const rows = await db
        .select()
        .from(labelSteps)
        .where(and(eq(labelSteps.readingId, readingId), gt(labelSteps.seq, after)))
        .orderBy(asc(labelSteps.seq))
        .limit(AT_ONCE)
      for (const row of rows) yield { readingId, ...stepOf(row) }
      after = rows.at(-1)?.seq ?? after
      if (rows.length < AT_ONCE) break
    }
}

const AT_ONCE = 16

async function* ownComments({ db }: Context, userId: string): AsyncIterable<object> {
  const rows = await db
    .select()
    .from(labelComments)
    .where(eq(labelComments.authorId, userId))
    .orderBy(asc(labelComments.createdAt), asc(labelComments.id))
  for (const { authorId: _, ...comment } of rows) yield comment
}
