import type { Answer, Parsed } from '@neuroloom/contract/calls'
import type { ProjectData } from '@neuroloom/contract/datasets'
import { datasets as limits } from '@neuroloom/contract/limits'
import { and, asc, desc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { Caller } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import type { Db } from '../../infra/db.ts'
import { accessTo, isAnyOf } from '../files/access.ts'
import { files } from '../files/tables.ts'
import { seenProjects } from '../projects/access.ts'
import { projects } from '../projects/tables.ts'
import { type DatasetRow, datasetParts, datasets, projectDatasets } from './tables.ts'

/** The own data that live projects use, each once, however many do. */
export async function inProjects(
  ctx: Context,
  { after, search }: Parsed<'datasets/inProjects'>,
  { user }: Caller,
): Promise<Answer<'datasets/inProjects'>> {
  const used = and(eq(datasets.ownerId, user.id), isUsed)
  const found = search.trim() === '' ? used : inArray(datasets.id, await named(ctx.db, { used, search }))
  const rows = await ctx.db
    .select()
    .from(datasets)
    .where(and(found, after === null ? undefined : earlierThan(after)))
    .orderBy(desc(datasets.createdAt), desc(datasets.id))
    .limit(limits.itemsPage + 1)
  const page = rows.slice(0, limits.itemsPage)
  const last = rows.length > page.length ? page.at(-1) : undefined
  return {
    data: await shown(ctx.db, user, page),
    next: last ? `${last.createdAt.getTime()}.${last.id}` : null,
    total: await ctx.db.$count(datasets, found),
  }
}

/** Here and not in the database, whose lower case knows only plain letters; of a member's data sets there are few. */
async function named(db: Db, { used, search }: { used: SQL | undefined; search: string }): Promise<string[]> {
  const rows = await db.select({ id: datasets.id, name: datasets.name }).from(datasets).where(used)
  const wanted = lowered(search.trim())
  return rows.filter(({ name }) => lowered(name).includes(wanted)).map(({ id }) => id)
}

const lowered = (text: string): string => text.normalize('NFC').toLowerCase()

const isUsed = sql`exists (
  select from ${projectDatasets}
  join ${projects} on ${projects.id} = ${projectDatasets.projectId} and ${projects.recycledAt} is null
  where ${projectDatasets.datasetId} = ${datasets.id}
)`

function earlierThan(after: string): SQL {
  const [, time, id] = /^(\d{1,15})\.([\w-]{1,40})$/.exec(after) ?? []
  if (time === undefined || id === undefined) throw fail('bad_request')
  return sql`(${datasets.createdAt}, ${datasets.id}) < (${new Date(Number(time))}, ${id})`
}

async function shown(db: Db, user: Caller['user'], page: DatasetRow[]): Promise<ProjectData[]> {
  const ids = page.map(({ id }) => id)
  if (ids.length === 0) return []
  const folderIds = page.map(({ folderId }) => folderId)
  const [seen, folders, users, items] = await Promise.all([
    accessTo(db, user, folderIds),
    db.select().from(files).where(isAnyOf(folderIds)),
    projectsOf(db, user, ids),
    itemsOf(db, ids),
  ])
  const folderOf = new Map(folders.filter(({ id }) => seen.has(id)).map((folder) => [folder.id, folder]))
  return page.map(({ id, name, task, state, folderId, createdAt }) => {
    const folder = folderOf.get(folderId)
    return {
      id,
      name,
      task,
      state,
      items: items.get(id) ?? 0,
      folder: folder
        ? { id: folder.id, name: folder.name, sizeBytes: folder.sizeBytes, fileCount: folder.fileCount }
        : null,
      projects: users.get(id) ?? [],
      createdAt: createdAt.toISOString(),
    }
  })
}

/** Those that the member may see: of another member's project, no longer after that is withdrawn. */
async function projectsOf(
  db: Db,
  user: Caller['user'],
  ids: string[],
): Promise<Map<string, ProjectData['projects']>> {
  const rows = await db
    .select({ datasetId: projectDatasets.datasetId, id: projects.id, name: projects.name })
    .from(projectDatasets)
    .innerJoin(projects, eq(projects.id, projectDatasets.projectId))
    .where(and(inArray(projectDatasets.datasetId, ids), inArray(projects.id, seenProjects(db, user.id))))
    .orderBy(asc(projects.name))
  const users = new Map<string, ProjectData['projects']>()
  for (const { datasetId, ...project } of rows) {
    users.set(datasetId, [...(users.get(datasetId) ?? []), project])
  }
  return users
}

/** Images: a mask or class belongs to one and is not counted beside it. */
async function itemsOf(db: Db, ids: string[]): Promise<Map<string, number>> {
  const rows = await db
    .select({ datasetId: datasetParts.datasetId, items: datasetParts.items })
    .from(datasetParts)
    .where(and(inArray(datasetParts.datasetId, ids), eq(datasetParts.part, 'image')))
  return new Map(rows.map(({ datasetId, items }) => [datasetId, items]))
}
