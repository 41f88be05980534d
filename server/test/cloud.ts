/** Looks at a cloud from both sides: as its pages show it, and whether what is counted is what is there. */
import { sql } from 'drizzle-orm'
import type { Session, TestServer } from './harness.ts'

/** Every path below a folder (null = the own top), folders with a slash at the end, in order. */
export async function pathsIn(
  server: TestServer,
  session: Session,
  folderId: string | null = null,
): Promise<string[]> {
  const { data } = await server.call('files/list', { folderId }, session)
  const inner = data.entries.map(async ({ id, kind, name }) => {
    if (kind === 'file') return [name]
    const paths = await pathsIn(server, session, id)
    return [`${name}/`, ...paths.map((path) => `${name}/${path}`)]
  })
  return (await Promise.all(inner)).flat().sort()
}

/** The id of what lies at a path below a folder (null = the own top). */
export async function idAt(
  server: TestServer,
  session: Session,
  path: string,
  folderId: string | null = null,
): Promise<string> {
  const [name = '', ...rest] = path.split('/')
  const { data } = await server.call('files/list', { folderId, search: name }, session)
  const found = data.entries.find((entry) => entry.name === name)
  if (!found) throw new Error(`Not there: ${path}`)
  return rest.length === 0 ? found.id : idAt(server, session, rest.join('/'), found.id)
}

/** Folders and members whose stored sizes, counts or used bytes are not the sums of what there is. */
export async function wrongSums({ ctx }: TestServer): Promise<unknown[]> {
  const folders = await ctx.db.execute(sql`
    with recursive up as (
      select parent_id as above, size_bytes from files where kind = 'file' and recycled_at is null
      union all
      select f.parent_id, up.size_bytes from up join files f on f.id = up.above where f.recycled_at is null
    ),
    sums as (select above, sum(size_bytes) as bytes, count(*) as files from up group by above)
    select f.name, f.size_bytes, f.file_count, sums.bytes, sums.files
    from files f
    left join sums on sums.above = f.id
    where f.kind = 'folder'
      and (f.size_bytes <> coalesce(sums.bytes, 0) or f.file_count <> coalesce(sums.files, 0))`)
  const members = await ctx.db.execute(sql`
    with used as (select owner_id, sum(size_bytes) as bytes from files where kind = 'file' group by owner_id),
    reserved as (select owner_id, sum(size_bytes) as bytes from uploads where done_at is null group by owner_id)
    select s.user_id, s.used_bytes, s.reserved_bytes, used.bytes, reserved.bytes as announced
    from user_storage s
    left join used on used.owner_id = s.user_id
    left join reserved on reserved.owner_id = s.user_id
    where s.used_bytes <> coalesce(used.bytes, 0) or s.reserved_bytes <> coalesce(reserved.bytes, 0)`)
  return [...folders.rows, ...members.rows]
}
