import { sql } from 'drizzle-orm'
import type { Context } from '../../../infra/context.ts'
import type { Tx } from '../../../infra/db.ts'
import { newId } from '../../../infra/ids.ts'
import * as plans from '../../plans/service.ts'
import { withPatientsAmong } from '../access.ts'
import type { Owner } from '../cloud-lock.ts'
import { texts } from '../free-names.ts'
import { nameColumns } from '../names.ts'
import { namesPatient } from '../patients/patient-sql.ts'
import { files } from '../tables.ts'
import { Growths, inFolder } from '../tree.ts'
import { idsOf, type TransferPlan } from './transfer-plan.ts'

/** As `newId` makes them, in the database: 90 random bits in 16 characters. */
const madeId = sql`translate(left(encode(uuid_send(gen_random_uuid()), 'base64'), 16), '+/', '-_')`

/**
 * Makes the planned copies with all that lies live in them, in one statement: it sees one state of the source, which
 * may be somebody else's and is not locked. Answers with the copies (or what they went into) by their originals.
 */
export async function insertCopies(
  ctx: Context,
  tx: Tx,
  { owner, actorId, plan }: { owner: Owner; actorId: string; plan: TransferPlan },
): Promise<Map<string, string>> {
  const { placed, merged } = plan
  const copies = new Map(placed.map(({ id }) => [id, newId()]))
  const all = new Map([...copies, ...merged.map(({ id, folderId }): [string, string] => [id, folderId])])
  if (placed.length === 0) return all
  const named = await withPatientsAmong(tx, { id: actorId }, idsOf(placed))
  const names = placed.map(({ name, kind }) => nameColumns(name, kind))
  const { rows } = await tx.execute<{
    parent_id: string | null
    bytes: string
    files: string
    used: string
  }>(sql`
    with recursive coming as (
      select * from unnest(
        ${texts(idsOf(placed))},
        ${texts(placed.map(({ id }) => copies.get(id) ?? null))},
        ${texts(placed.map(({ folderId }) => folderId))},
        ${texts(names.map(({ name }) => name))},
        ${texts(names.map(({ searchName }) => searchName))},
        ${texts(names.map(({ sortName }) => sortName))},
        ${texts(names.map(({ type }) => type))},
        ${sql.param(placed.map(({ id }) => named.has(id)))}::boolean[]
      ) as given (source_id, id, parent_id, name, search_name, sort_name, type, is_named)
    ),
    down as (
      select coming.*, f.kind, f.sha256, f.size_bytes, f.file_count
      from coming
      join ${files} f on f.id = coming.source_id
      union all
      select f.id, ${madeId}, down.id, f.name, f.search_name, f.sort_name, f.type, down.is_named,
        f.kind, f.sha256, f.size_bytes, f.file_count
      from down
      cross join lateral (${inFolder(sql`down.source_id`)}) f
      where down.kind = 'folder' and f.recycled_at is null
        and (down.is_named or not ${namesPatient(sql`f`)})
    ),
    made as (
      insert into ${files} (
        id, owner_id, parent_id, kind, name, search_name, sort_name, type,
        sha256, size_bytes, file_count, modified_at, modified_by
      )
      select id, ${owner.id}, parent_id, kind, name, search_name, sort_name, type,
        sha256, size_bytes, file_count, ${ctx.now()}, ${actorId}
      from down
      returning id, parent_id, kind, size_bytes, file_count
    )
    select top.parent_id, sum(top.size_bytes) as bytes, sum(top.file_count) as files,
      (select coalesce(sum(size_bytes), 0) from made where kind = 'file') as used
    from made top
    where top.id in (select id from coming)
    group by top.parent_id`)
  const growths = new Growths()
  for (const { parent_id, bytes, files: count } of rows) {
    growths.add(parent_id, { bytes: Number(bytes), files: Number(count) })
  }
  await growths.apply(tx)
  const used = Number(rows[0]?.used ?? 0)
  await plans.reserve(ctx, tx, owner, used)
  await plans.commit(tx, owner.id, { reservedBytes: used, usedBytes: used })
  return all
}
