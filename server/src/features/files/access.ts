import type { Access, Place } from '@neuroloom/contract/files'
import { type SQL, sql } from 'drizzle-orm'
import type { SessionUser } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Db } from '../../infra/db.ts'
import { users } from '../accounts/tables.ts'
import { namesPatient } from './patients/patient-sql.ts'
import { groupMembers, shares } from './sharing/tables.ts'
import { type FileRow, files } from './tables.ts'

type Member = Pick<SessionUser, 'id'>
export type Step = { id: string; name: string }
/** A live entry and what the caller may do with it. */
export type SeenEntry = FileRow & { access: Access }
export type SeenFile = SeenEntry & { sha256: string }

/** What whoever looks may see. */
export type Eyes = {
  find(id: string): Promise<SeenFile>
  /** Which of these files, all in the folder of `beside`, are in sight together with it. */
  among(beside: FileRow, ids: readonly string[]): Promise<ReadonlySet<string>>
}

const ranks = { view: 1, edit: 2, own: 3 } as const

/** Whether that access is enough for what needs this right. */
export const isEnough = (access: Access, right: Access): boolean => ranks[access] >= ranks[right]

/**
 * The live file or folder, if the caller has at least this right to it. `missing` for foreign, removed and unknown ones
 * alike; `not_allowed` where it may be seen but not this.
 */
export async function requireEntry(
  db: Db,
  user: Member,
  id: string,
  right: Access = 'own',
): Promise<SeenEntry> {
  const [entry] = await requireEntries(db, user, [id], right)
  if (!entry) throw fail('missing')
  return entry
}

/** All of them or none: one that is not there refuses the whole call. In no order. */
export async function requireEntries(
  db: Db,
  user: Member,
  ids: readonly string[],
  right: Access = 'own',
): Promise<SeenEntry[]> {
  const wanted = [...new Set(ids)]
  const accesses = await accessTo(db, user, wanted)
  const rows = await db.select().from(files).where(isAnyOf(wanted))
  const seen = rows.flatMap((row) => {
    const access = accesses.get(row.id)
    return access ? [{ ...row, access }] : []
  })
  if (seen.length < wanted.length) throw fail('missing')
  if (seen.some(({ access }) => !isEnough(access, right))) throw fail('not_allowed')
  return seen
}

/**
 * Entries that the caller may move or remove: own ones, and those that lie in a folder that the caller may edit. What
 * was itself shared stays where its owner put it.
 */
export async function requireInside(db: Db, user: Member, ids: readonly string[]): Promise<SeenEntry[]> {
  const entries = await requireEntries(db, user, ids, 'edit')
  const foreign = entries.filter(({ access }) => access !== 'own')
  const above = await accessTo(
    db,
    user,
    foreign.flatMap(({ parentId }) => parentId ?? []),
  )
  if (foreign.some(({ parentId }) => above.get(parentId ?? '') !== 'edit')) throw fail('not_allowed')
  return entries
}

/** The live folder, if the caller has this right to it. */
export async function requireFolder(
  db: Db,
  user: Member,
  id: string,
  right: Access = 'own',
): Promise<SeenEntry> {
  const entry = await requireEntry(db, user, id, right)
  if (entry.kind !== 'folder') throw fail('missing')
  return entry
}

/** The live file, if the caller has this right to it. */
export async function requireFile(
  db: Db,
  user: Member,
  id: string,
  right: Access = 'own',
): Promise<SeenEntry & { sha256: string }> {
  const { sha256, ...entry } = await requireEntry(db, user, id, right)
  if (sha256 === null) throw fail('missing')
  return { ...entry, sha256 }
}

/**
 * What the member may do with each live entry; those that are not there or not to be seen are left out. Files that name
 * their patient are only given where the owner said so.
 */
export async function accessTo(db: Db, { id }: Member, ids: readonly string[]): Promise<Map<string, Access>> {
  const { rows } = await db.execute<{ start: string; own: boolean; edit: boolean }>(sql`
    with recursive up as (
      select id as start, id, parent_id, owner_id, recycled_at, public_at, public_with_patients,
        ${namesPatient(sql`files`)} as named
      from ${files}
      where ${isAnyOf(ids)}
      union all
      select up.start, f.id, f.parent_id, f.owner_id, f.recycled_at, f.public_at, f.public_with_patients, up.named
      from ${files} f
      join up on f.id = up.parent_id
    )
    select up.start, bool_or(up.owner_id = ${id}) as own, coalesce(bool_or(given.permission = 'edit'), false) as edit
    from up
    join ${users} owner on owner.id = up.owner_id and owner.cancelled_at is null
    left join ${shares} given
      on given.entry_id = up.id and (given.with_patients or not up.named) and ${isGivenTo(id)}
    group by up.start
    having not bool_or(up.recycled_at is not null)
      and bool_or(
        up.owner_id = ${id}
        or (up.public_at is not null and (up.public_with_patients or not up.named))
        or given.id is not null
      )`)
  return new Map(rows.map(({ start, own, edit }) => [start, own ? 'own' : edit ? 'edit' : 'view']))
}

/** Those of these entries that are own, or given together with files that name their patient. */
export async function withPatientsAmong(
  db: Db,
  { id }: Member,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await db.execute<{ start: string }>(sql`
    with recursive up as (
      select id as start, id, parent_id, owner_id, public_with_patients from ${files} where ${isAnyOf(ids)}
      union all
      select up.start, f.id, f.parent_id, f.owner_id, f.public_with_patients
      from ${files} f
      join up on f.id = up.parent_id
    )
    select distinct up.start
    from up
    left join ${shares} given on given.entry_id = up.id and given.with_patients and ${isGivenTo(id)}
    where up.owner_id = ${id} or up.public_with_patients or given.id is not null`)
  return new Set(rows.map(({ start }) => start))
}

/**
 * Whom to ask about files at and below a folder that the member may see: null where all of it is given, files that name
 * their patient too.
 */
export async function askedBelow(db: Db, user: Member, folderId: string): Promise<string | null> {
  return (await withPatientsAmong(db, user, [folderId])).has(folderId) ? null : user.id
}

/** As a condition on a row of files below such a folder: this member gets it. */
export const isGivenBelow = (file: SQL, userId: string | null): SQL =>
  userId === null
    ? sql`true`
    : sql`(not ${namesPatient(file)} or exists (
        select from ${shares} given
        where given.entry_id = ${file}.id and given.with_patients and ${isGivenTo(userId)}
      ))`

/** As a condition on a join with shares under the name `given`. */
export const isGivenTo = (userId: string): SQL => sql`(
  given.user_id = ${userId}
  or given.group_id in (select group_id from ${groupMembers} where user_id = ${userId})
)`

/**
 * From the top, or the topmost folder that the member may see, to the folder, itself included; and where that is.
 * Checks no right to the folder itself.
 */
export async function wayTo(
  db: Db,
  { id: userId }: Member,
  folderId: string | null,
): Promise<{ path: Step[]; place: Place }> {
  const own: Place = { kind: 'own', groupId: null, owner: '' }
  if (folderId === null) return { path: [], place: own }
  const { rows } = await db.execute<WayStep>(sql`
    with recursive up as (
      select id, name, parent_id, owner_id, public_at, 0 as distance from ${files} where id = ${folderId}
      union all
      select f.id, f.name, f.parent_id, f.owner_id, f.public_at, up.distance + 1
      from ${files} f
      join up on f.id = up.parent_id
    )
    select up.id, up.name, up.owner_id = ${userId} as own, up.public_at is not null as public,
      bool_or(given.user_id is not null) as shared, min(given.group_id) as group, ${users.nickName} as owner
    from up
    join ${users} on ${users.id} = up.owner_id
    left join ${shares} given on given.entry_id = up.id and ${isGivenTo(userId)}
    group by up.id, up.name, up.owner_id, up.public_at, up.distance, ${users.nickName}
    order by up.distance desc`)
  const first = rows.findIndex((step) => step.own || step.public || step.shared || step.group !== null)
  const path = rows.slice(Math.max(first, 0)).map(({ id, name }) => ({ id, name }))
  const top = rows[first]
  return { path, place: top ? placeOf(top) : own }
}

type WayStep = Step & { own: boolean; public: boolean; shared: boolean; group: string | null; owner: string }

function placeOf({ own, shared, group, owner }: WayStep): Place {
  if (own) return { kind: 'own', groupId: null, owner: '' }
  if (shared) return { kind: 'shared', groupId: null, owner }
  return group === null ? { kind: 'public', groupId: null, owner } : { kind: 'group', groupId: group, owner }
}

export const isAnyOf = (ids: readonly string[]): SQL => sql`${files.id} = any(${sql.param(ids)})`
