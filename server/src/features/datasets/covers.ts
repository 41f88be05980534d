import { projects as limits } from '@neuroloom/contract/limits'
import { sql } from 'drizzle-orm'
import type { Caller } from '../../http/access.ts'
import type { Context } from '../../infra/context.ts'
import { thumbnailUrl } from '../files/service.ts'
import { datasetItems, datasets, projectDatasets } from './tables.ts'

type Found = { project_id: string; dataset_id: string; owner_id: string; sha256: string }

/** A few images from all over the newest usable data set of each project: its first ones are often all of one class. */
export async function coversOf(
  ctx: Context,
  caller: Caller,
  projectIds: string[],
): Promise<Map<string, string[]>> {
  if (projectIds.length === 0) return new Map()
  const { rows } = await ctx.db.execute<Found>(sql`
    select project.id as project_id, newest.id as dataset_id, newest.owner_id, item.image_sha256 as sha256
    from unnest(${sql.param(projectIds)}::text[]) project(id)
    cross join lateral (
      select found.id, found.owner_id,
        (select max(position) from ${datasetItems} where dataset_id = found.id) as items
      from ${projectDatasets} link
      join ${datasets} found on found.id = link.dataset_id
      where link.project_id = project.id and found.state = 'ready'
      order by link.use = 'train' desc, found.created_at desc, found.id desc
      limit 1
    ) newest
    cross join generate_series(0, ${sql.param(limits.coverImages)}::int - 1) place
    join ${datasetItems} item on item.dataset_id = newest.id
      and item.position = 1 + newest.items * place / least(newest.items, ${sql.param(limits.coverImages)}::int)
    where place < newest.items
    order by project.id, place`)
  const covers = new Map<string, string[]>()
  for (const { project_id: projectId, dataset_id: id, owner_id: ownerId, sha256 } of rows) {
    const shownBy = ownerId === caller.user.id ? undefined : { as: 'dataset' as const, id }
    const urls = covers.get(projectId) ?? []
    const url = thumbnailUrl(ctx, caller, sha256, shownBy)
    // The same image may be in a data set twice.
    if (!urls.includes(url)) urls.push(url)
    covers.set(projectId, urls)
  }
  return covers
}
