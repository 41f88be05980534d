import { and, asc, eq, gt, isNotNull } from 'drizzle-orm'
import { type ArchivedFile, jsonFile, jsonList } from '../../../infra/archive.ts'
import type { Context } from '../../../infra/context.ts'
import { users } from '../../accounts/tables.ts'
import { files } from '../tables.ts'
import { selectShares, shownLink } from './lists.ts'
import { groupMembers, groups, links, records, shares } from './tables.ts'

/** Records read at once. */
const PAGE = 1000

/** To whom what was given, by which links it is seen, in which groups the member is, and the records of the cloud. */
export async function* exportSharing(ctx: Context, userId: string): AsyncIterable<ArchivedFile> {
  yield jsonFile('sharing.json', {
    shares: await givenBy(ctx, userId),
    links: await linksOf(ctx, userId),
    received: await receivedBy(ctx, userId),
    groups: await groupsOf(ctx, userId),
    public: await publicOf(ctx, userId),
  })
  yield jsonList('cloud-records.json', recordsOf(ctx, userId))
}

async function givenBy(ctx: Context, userId: string): Promise<object[]> {
  const names = await ctx.db
    .select({ id: shares.id, name: files.name })
    .from(shares)
    .innerJoin(files, eq(files.id, shares.entryId))
    .where(eq(shares.ownerId, userId))
  const nameOf = new Map(names.map(({ id, name }) => [id, name]))
  const given = await selectShares(ctx, eq(shares.ownerId, userId))
  return given.map((share) => ({ name: nameOf.get(share.id), ...share }))
}

/** Without what opens them: that is not known here. */
async function linksOf({ db }: Context, userId: string): Promise<object[]> {
  const rows = await db
    .select({ link: links, name: files.name })
    .from(links)
    .innerJoin(files, eq(files.id, links.entryId))
    .where(eq(links.ownerId, userId))
    .orderBy(asc(links.createdAt))
  return rows.map(({ link, name }) => ({ name, ...shownLink(link) }))
}

const receivedBy = ({ db }: Context, userId: string) =>
  db
    .select({
      name: files.name,
      owner: users.nickName,
      permission: shares.permission,
      sharedAt: shares.sharedAt,
    })
    .from(shares)
    .innerJoin(files, eq(files.id, shares.entryId))
    .innerJoin(users, eq(users.id, shares.ownerId))
    .where(eq(shares.userId, userId))
    .orderBy(asc(shares.sharedAt))

async function groupsOf({ db }: Context, userId: string): Promise<object[]> {
  const rows = await db
    .select({ group: groups, joinedAt: groupMembers.joinedAt })
    .from(groupMembers)
    .innerJoin(groups, eq(groups.id, groupMembers.groupId))
    .where(eq(groupMembers.userId, userId))
    .orderBy(asc(groupMembers.joinedAt))
  return rows.map(({ group: { number, name, about, ownerId, createdAt }, joinedAt }) => ({
    number,
    name,
    about,
    isOwner: ownerId === userId,
    createdAt,
    joinedAt,
  }))
}

/** Folders that every member may read. */
const publicOf = ({ db }: Context, userId: string) =>
  db
    .select({ name: files.name, publicAt: files.publicAt, withPatients: files.publicWithPatients })
    .from(files)
    .where(and(eq(files.ownerId, userId), isNotNull(files.publicAt)))
    .orderBy(asc(files.publicAt))

async function* recordsOf({ db }: Context, userId: string): AsyncIterable<object> {
  let after = 0
  for (;;) {
    const page = await db
      .select({ record: records, actor: users.nickName })
      .from(records)
      .leftJoin(users, eq(users.id, records.actorId))
      .where(and(eq(records.ownerId, userId), gt(records.id, after)))
      .orderBy(asc(records.id))
      .limit(PAGE)
    for (const { record, actor } of page) {
      const { action, name, detail, at } = record
      yield { at, action, name, actor: actor ?? '', detail }
    }
    const last = page.at(-1)
    if (page.length < PAGE || !last) return
    after = last.record.id
  }
}
