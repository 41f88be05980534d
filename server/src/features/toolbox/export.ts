import { asc, desc, eq } from 'drizzle-orm'
import { type ArchivedFile, jsonFile } from '../../infra/archive.ts'
import type { Context } from '../../infra/context.ts'
import type { Db } from '../../infra/db.ts'
import { users } from '../accounts/tables.ts'
import { groups } from '../files/service.ts'
import { allRuns } from '../runs/tables.ts'
import { ownToolResults, ownToolShares, ownTools } from './own/tables.ts'
import { toolFavourites, toolUses } from './tables.ts'

/** Favourites and history of the toolbox, tools that the member made, and those that others share. */
export async function* exportOf({ db }: Context, userId: string): AsyncIterable<ArchivedFile> {
  const favourites = await db.select().from(toolFavourites).where(eq(toolFavourites.userId, userId))
  const uses = await db
    .select()
    .from(toolUses)
    .where(eq(toolUses.userId, userId))
    .orderBy(desc(toolUses.usedAt), desc(toolUses.id))
  const tools = await db
    .select()
    .from(ownTools)
    .where(eq(ownTools.ownerId, userId))
    .orderBy(asc(ownTools.name))
  const results = await db
    .select({ runId: ownToolResults.runId, folderId: ownToolResults.folderId })
    .from(ownToolResults)
    .innerJoin(allRuns, eq(allRuns.id, ownToolResults.runId))
    .where(eq(allRuns.userId, userId))
  yield jsonFile('own-tools.json', {
    tools: await Promise.all(
      tools.map(async ({ ownerId: _, ...tool }) => ({ ...tool, shares: await sharesOf(db, tool.id) })),
    ),
    given: await givenTo(db, userId),
    results,
  })
  yield jsonFile('toolbox.json', {
    favourites: favourites.map(({ userId: _, ...favourite }) => favourite),
    history: uses.map(({ userId: _, ...use }) => use),
  })
}

const shared = {
  id: ownToolShares.id,
  sharedAt: ownToolShares.sharedAt,
  expiresAt: ownToolShares.expiresAt,
  withdrawnAt: ownToolShares.withdrawnAt,
}

const sharesOf = (db: Db, toolId: string): Promise<object[]> =>
  db
    .select({ ...shared, to: users.nickName, group: groups.name })
    .from(ownToolShares)
    .leftJoin(users, eq(users.id, ownToolShares.userId))
    .leftJoin(groups, eq(groups.id, ownToolShares.groupId))
    .where(eq(ownToolShares.toolId, toolId))

/** What others let the member use: what is inside is theirs. */
const givenTo = (db: Db, userId: string): Promise<object[]> =>
  db
    .select({ ...shared, toolId: ownTools.id, name: ownTools.name })
    .from(ownToolShares)
    .innerJoin(ownTools, eq(ownTools.id, ownToolShares.toolId))
    .where(eq(ownToolShares.userId, userId))
