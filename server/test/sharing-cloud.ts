/** The cloud that the sharing matrix acts on, and everybody who meets it. Made anew after each deed that changed it. */
import { createHash, randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { passFor } from '../src/features/files/share-links/pass.ts'
import { newId } from '../src/infra/ids.ts'
import { thumbnailPath } from '../src/infra/storage/blobs.ts'
import type { Session, TestServer } from './harness.ts'
import { put } from './sharing.ts'

export const actors = [
  'owner',
  'viewer',
  'editor',
  'groupViewer',
  'groupEditor',
  'exShared',
  'exMember',
  'stranger',
  'administrator',
  'publicReader',
  'visitor',
  'anonymous',
] as const
export type Actor = (typeof actors)[number]
type MemberName = Exclude<Actor, 'visitor' | 'anonymous'>

/** What lies where: `top` (shared, given to both groups, linked) > `inner` > `file`, `gone` (removed), `sub`. */
export type Cloud = {
  /** Part of every name in it, and of nothing else. */
  mark: string
  top: string
  inner: string
  sub: string
  file: string
  gone: string
  /** The owner's, shared with nobody. */
  beside: string
  /** The actor's own. */
  mine: string
  sha256: string
  /** The share of an actor, else the viewer's. */
  shareId: string
  groupId: string
  groupNumber: string
  groupShareId: string
  /** A member of the group whom nobody else here is. */
  memberId: string
  linkId: string
  linkToken: string
  linkPass: string
  /** Of the owner, announced for `inner`. */
  upload: string
  /** Of the actor, announced for `inner` in better times. */
  ownUpload: string
  /** Conversions of the owner. */
  failed: string
  waiting: string
  /** Searches for texts, of the owner. */
  texts: string
  waitingTexts: string
  confirmedTexts: string
  /** Whom nothing is shared with. */
  account: string
}

export type Stage = {
  server: TestServer
  sessionOf(actor: Actor): Session | null
  build(actor: Actor): Promise<Cloud>
  /** All that a deed could change, as one text. */
  stateOf(cloud: Cloud): Promise<string>
}

export async function makeStage(server: TestServer): Promise<Stage> {
  const sessions = new Map<string, Session & { account: string }>()
  for (const actor of actors) {
    if (actor === 'visitor' || actor === 'anonymous') continue
    const role = actor === 'owner' || actor === 'administrator' ? 2 : 0
    // Levels are other tests' affair.
    sessions.set(
      actor,
      await server.signUp({ password: null, vipLevel: 4, vipSuper: 1, nickName: actor, role }),
    )
  }
  const extra = await server.signUp({ password: null, vipLevel: 4 })
  const outsider = await server.signUp({ password: null, vipLevel: 4 })
  const owner = sessionNamed(sessions, 'owner')
  const sha256 = await storedBytes(server, owner)
  return {
    server,
    sessionOf: (actor) => sessions.get(actor) ?? null,
    build: (actor) =>
      build(server, {
        actor,
        sha256,
        idOf: (name) => sessionNamed(sessions, name).userId,
        memberId: extra.userId,
        account: outsider.account,
      }),
    stateOf: (cloud) => stateOf(server, cloud),
  }
}

function sessionNamed<T>(sessions: Map<string, T>, name: string): T {
  const session = sessions.get(name)
  if (!session) throw new Error(`Nobody is called ${name}`)
  return session
}

/** Bytes that all files here share, with their small picture. */
async function storedBytes(server: TestServer, owner: Session): Promise<string> {
  const bytes = Buffer.from('what lies in every file')
  await put(server, owner, { parentId: null, name: 'bytes.bin', bytes })
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const picture = thumbnailPath(server.ctx.config.dataDir, sha256)
  await mkdir(dirname(picture), { recursive: true })
  await writeFile(picture, 'picture')
  await server.ctx.pool.query('update user_storage set used_bytes = 1e9, reserved_bytes = 1e9')
  // Whose rights they are is one thing, whom they name another.
  await server.ctx.pool.query(
    'insert into dicom_places (sha256, is_image, names_patient) values ($1, false, false)',
    [sha256],
  )
  return sha256
}

type Making = {
  actor: Actor
  sha256: string
  idOf: (name: MemberName) => string
  memberId: string
  account: string
}

async function build(server: TestServer, making: Making): Promise<Cloud> {
  const { actor, sha256, idOf, memberId, account } = making
  const mark = `mark${randomBytes(6).toString('hex')}`
  const cloud = {
    ...ids(['top', 'inner', 'sub', 'file', 'gone', 'beside', 'mine'] as const),
    mark,
    sha256,
    memberId,
    account,
    upload: newId(),
    ownUpload: newId(),
    failed: newId(),
    waiting: newId(),
    texts: newId(),
    waitingTexts: newId(),
    confirmedTexts: newId(),
  }
  const actorId = actor === 'visitor' || actor === 'anonymous' ? memberId : idOf(actor)
  await insertFiles(server, { cloud, ownerId: idOf('owner'), actorId, actor })
  const shareIds = await insertShares(server, { cloud, idOf })
  const groups = await insertGroups(server, { cloud, idOf, memberId })
  await withdraw(server, { cloud, idOf })
  return {
    ...cloud,
    ...(await insertLinks(server, { cloud, ownerId: idOf('owner'), actor })),
    shareId: shareIds.get(actor) ?? shareIds.get('viewer') ?? '',
    ...(actor === 'groupEditor' ? groups.edit : groups.view),
  }
}

const ids = <K extends string>(names: readonly K[]): Record<K, string> =>
  // `Object.fromEntries` forgets the names.
  Object.fromEntries(names.map((name) => [name, newId()])) as Record<K, string>

type Base = Pick<
  Cloud,
  | 'mark'
  | 'sha256'
  | 'top'
  | 'inner'
  | 'sub'
  | 'file'
  | 'gone'
  | 'beside'
  | 'mine'
  | 'upload'
  | 'ownUpload'
  | 'failed'
  | 'waiting'
  | 'texts'
  | 'waitingTexts'
  | 'confirmedTexts'
>

const lastInner = new Map<Actor, string>()

async function insertFiles(
  server: TestServer,
  { cloud, ownerId, actorId, actor }: { cloud: Base; ownerId: string; actorId: string; actor: Actor },
): Promise<void> {
  const { mark, top, inner, sub, file, gone, beside, mine } = cloud
  const rows = [
    { id: top, parent: null, kind: 'folder', count: 1, owner: ownerId },
    { id: inner, parent: top, kind: 'folder', count: 1, owner: ownerId },
    { id: sub, parent: inner, kind: 'folder', count: 0, owner: ownerId },
    { id: file, parent: inner, kind: 'file', count: 1, owner: ownerId },
    { id: gone, parent: inner, kind: 'file', count: 1, owner: ownerId },
    { id: beside, parent: null, kind: 'folder', count: 0, owner: ownerId },
    { id: mine, parent: null, kind: 'file', count: 1, owner: actorId },
  ]
  await server.ctx.pool.query(
    `insert into files
       (id, owner_id, parent_id, kind, name, search_name, sort_name, type, sha256, size_bytes, file_count,
        modified_at, recycled_at, public_at)
     select id, owner, parent, kind, name, name, name, case when kind = 'file' then 'zip' else '' end,
       case when kind = 'file' then $2 end, count, count, now(),
       case when id = $3 then now() end, case when id = $4 then now() end
     from (
       select id, owner, parent, kind, count,
         case when id = $5 then 'own-' || id else $6 || '-' || id end
         || case when kind = 'file' then '.zip' else '' end as name
       from jsonb_to_recordset($1) as given (id text, owner text, parent text, kind text, count int)
     ) named`,
    [JSON.stringify(rows), cloud.sha256, gone, actor === 'publicReader' ? top : '', mine, mark],
  )
  await server.ctx.pool.query(
    `insert into uploads (id, owner_id, member_id, parent_id, name, size_bytes, same_name, touched_at, path)
     select id, $1, member, $2, name, 1, 'rename', now(), name
     from (values ($3, $1, $3 || '.bin'), ($4, $5, $4 || '.bin')) as made (id, member, name)`,
    [ownerId, inner, cloud.upload, cloud.ownUpload, actorId],
  )
  // Those of the actor's cloud before: only some may wait at a time.
  await server.ctx.pool.query('delete from text_scans where owner_id = $1 and $2 = any (source_ids)', [
    ownerId,
    lastInner.get(actor) ?? '',
  ])
  await server.ctx.pool.query('delete from conversions where owner_id = $1 and $2 = any (source_ids)', [
    ownerId,
    lastInner.get(actor) ?? '',
  ])
  lastInner.set(actor, inner)
  await server.ctx.pool.query(
    `insert into conversions (id, owner_id, source_ids, format, options, state, created_at)
     values ($1, $3, $4, 'png', '{}', 'failed', now()), ($2, $3, $4, 'png', '{}', 'waiting', now())`,
    [cloud.failed, cloud.waiting, ownerId, [inner]],
  )
  await server.ctx.pool.query(
    `insert into text_scans (id, owner_id, source_ids, step, state, created_at)
     values ($1, $4, $5, 'seek', 'done', now()), ($2, $4, $5, 'seek', 'waiting', now()),
       ($3, $4, $5, 'seek', 'done', now())`,
    [cloud.texts, cloud.waitingTexts, cloud.confirmedTexts, ownerId, [inner]],
  )
  await server.ctx.pool.query(
    `insert into text_pictures
       (scan_id, position, source_id, source_name, source_sha256, state, width, height, frames)
     values ($1, 0, $2, 'scan.png', $3, 'done', 10, 10, 1)`,
    [cloud.texts, inner, cloud.sha256],
  )
}

type Knowing = { cloud: Base; idOf: (name: MemberName) => string }

async function insertShares(server: TestServer, { cloud, idOf }: Knowing): Promise<Map<string, string>> {
  const given = new Map<string, string>()
  for (const name of ['viewer', 'editor', 'exShared'] as const) {
    const id = newId()
    given.set(name, id)
    await server.ctx.pool.query(
      `insert into file_shares (id, entry_id, owner_id, user_id, permission, shared_at)
       values ($1, $2, $3, $4, $5, now())`,
      [id, cloud.top, idOf('owner'), idOf(name), name === 'viewer' ? 'view' : 'edit'],
    )
  }
  return given
}

let lastNumber = 100_000_000

/** One group may look, the other may edit; the member who left was in both. */
async function insertGroups(server: TestServer, { cloud, idOf, memberId }: Knowing & { memberId: string }) {
  const make = async (permission: 'view' | 'edit', member: MemberName) => {
    const [groupId, groupShareId] = [newId(), newId()]
    lastNumber += 1
    await server.ctx.pool.query(
      `insert into file_groups (id, owner_id, number, name, about, created_at)
       values ($1, $2, $3, 'Group', '', now())`,
      [groupId, idOf('owner'), String(lastNumber)],
    )
    await server.ctx.pool.query(
      `insert into file_group_members (group_id, user_id, joined_at) select $1, unnest($2::text[]), now()`,
      [groupId, [idOf('owner'), idOf(member), memberId, idOf('exMember')]],
    )
    await server.ctx.pool.query(
      `insert into file_shares (id, entry_id, owner_id, group_id, permission, shared_at)
       values ($1, $2, $3, $4, $5, now())`,
      [groupShareId, cloud.top, idOf('owner'), groupId, permission],
    )
    return { groupId, groupShareId, groupNumber: String(lastNumber) }
  }
  return { view: await make('view', 'groupViewer'), edit: await make('edit', 'groupEditor') }
}

/** Whoever had access once. */
async function withdraw(server: TestServer, { cloud, idOf }: Knowing): Promise<void> {
  await server.ctx.pool.query('delete from file_shares where entry_id = $1 and user_id = $2', [
    cloud.top,
    idOf('exShared'),
  ])
  await server.ctx.pool.query(
    `delete from file_group_members
     where user_id = $2 and group_id in (select group_id from file_shares where entry_id = $1)`,
    [cloud.top, idOf('exMember')],
  )
}

/** The visitor has the link to `top`; all others have one to something else of the same owner. */
async function insertLinks(
  server: TestServer,
  { cloud, ownerId, actor }: { cloud: Base; ownerId: string; actor: Actor },
) {
  const make = async (entryId: string) => {
    const [linkId, linkToken] = [newId(), randomBytes(24).toString('base64url')]
    await server.ctx.pool.query(
      `insert into file_links (id, entry_id, owner_id, token_hash, expires_at, created_at)
       values ($1, $2, $3, encode(sha256($4::bytea), 'hex'), now() + interval '1 day', now())`,
      [linkId, entryId, ownerId, linkToken],
    )
    return { linkId, linkToken, linkPass: passFor(server.ctx, linkId, Date.now() + 3_600_000) }
  }
  const toTop = await make(cloud.top)
  const elsewhere = await make(cloud.beside)
  if (actor === 'visitor') return toTop
  // Everybody may try to revoke the one that shows what they are after.
  return { ...elsewhere, linkId: toTop.linkId, linkToken: randomBytes(24).toString('base64url') }
}

async function stateOf(server: TestServer, { mark, top, groupId }: Cloud): Promise<string> {
  const { rows } = await server.ctx.pool.query(
    `with cloud as (
       select id from files where owner_id = (select owner_id from files where id = $1) and name like $2 || '%'
     )
     select
       (select json_agg(f order by f.id) from files f where f.id in (select id from cloud) or f.parent_id in (select id from cloud)) as files,
       (select json_agg(s order by s.id) from file_shares s where s.entry_id in (select id from cloud)) as shares,
       (select json_agg(l order by l.id) from file_links l where l.entry_id in (select id from cloud)) as links,
       (select json_agg(g order by g.id) from file_groups g where g.id = $3) as groups,
       (select json_agg(m order by m.user_id) from file_group_members m where m.group_id = $3) as members,
       (select json_agg(u.id order by u.id) from uploads u where u.parent_id in (select id from cloud)) as uploads,
       (select json_agg(c order by c.id) from conversions c where c.source_ids && (select array_agg(id) from cloud)) as conversions,
       (select json_agg(t order by t.id) from text_scans t where t.source_ids && (select array_agg(id) from cloud)) as texts,
       (select json_agg(p order by p.scan_id, p.position) from text_pictures p where p.source_id in (select id from cloud)) as pictures,
       (select json_agg(r order by r.id) from file_records r where r.entry_id in (select id from cloud)) as records`,
    [top, mark, groupId],
  )
  return JSON.stringify(rows)
}
