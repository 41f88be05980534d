import { asc, eq } from 'drizzle-orm'
import { type ArchivedFile, freeNames, jsonList } from '../../infra/archive.ts'
import type { Context } from '../../infra/context.ts'
import { flowProjectStudies } from './runs/tables.ts'
import { type FlowRow, flowStudies } from './tables.ts'
import { studyFiles } from './values.ts'

/** What was found in files and settled, and the studies that were made of it. */
export async function* exportOf(ctx: Context, userId: string): AsyncIterable<ArchivedFile> {
  yield jsonList('flow-studies.json', toldOf(ctx, userId))
  const freeName = freeNames()
  for await (const row of rowsOf(ctx, userId))
    for (const { name, sha256 } of studyFiles(row))
      yield {
        path: `flow/${freeName(name)}`,
        isText: false,
        modifiedAt: row.createdAt,
        read: () => ctx.storage.read(sha256),
      }
}

async function* toldOf(ctx: Context, userId: string): AsyncIterable<object> {
  for await (const row of rowsOf(ctx, userId)) {
    const { ownerId: _, sourceIds: __, attempts: ___, leaseUntil: ____, reservedBytes: _____, ...told } = row
    const { projectId, addedAt } = flowProjectStudies
    const isIn = eq(flowProjectStudies.studyId, row.id)
    yield {
      ...told,
      projects: await ctx.db.select({ projectId, addedAt }).from(flowProjectStudies).where(isIn),
    }
  }
}

/** One after the other: tables of recognition may be long. */
async function* rowsOf({ db }: Context, userId: string): AsyncIterable<FlowRow> {
  const own = await db
    .select({ id: flowStudies.id })
    .from(flowStudies)
    .where(eq(flowStudies.ownerId, userId))
    .orderBy(asc(flowStudies.createdAt), asc(flowStudies.id))
  for (const { id } of own) yield* await db.select().from(flowStudies).where(eq(flowStudies.id, id))
}
