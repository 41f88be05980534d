import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { classProblem, type LabelClass } from '@neuroloom/contract/labelling/classes'
import { labelling as limits } from '@neuroloom/contract/limits'
import { and, eq, sql } from 'drizzle-orm'
import type { Caller } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import type { Tx } from '../../infra/db.ts'
import { newId } from '../../infra/ids.ts'
import { beginLabelled } from '../datasets/service.ts'
import { requireFolder } from '../files/access.ts'
import { requireProject } from '../projects/access.ts'
import { requireSet, selectSeen } from './access.ts'
import { setOf, setsOf } from './show.ts'
import { labelSets } from './tables.ts'

export async function create(
  ctx: Context,
  { folderId, projectId, ...settings }: Parsed<'labelling/create'>,
  { user }: Caller,
): Promise<Answer<'labelling/create'>> {
  refuseClasses(settings.classes)
  const id = newId()
  await ctx.db.transaction(async (tx) => {
    await requireFolder(tx, user, folderId, 'own')
    if (projectId !== null) await requireProject(tx, user, projectId, 'edit')
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`label sets ${user.id}`}, 0))`)
    const owned = await tx.$count(labelSets, eq(labelSets.ownerId, user.id))
    if (owned >= limits.sets) throw fail('too_many_sets', { limit: limits.sets })
    await tx.insert(labelSets).values({
      ...{ id, ownerId: user.id, folderId, projectId, ...settings },
      state: 'gathering',
      createdAt: ctx.now(),
    })
    await queueGathering(ctx, tx, id)
  })
  return detail(ctx, { id }, { user })
}

export async function change(
  ctx: Context,
  { id, ...settings }: Parsed<'labelling/change'>,
  { user }: Caller,
): Promise<Answer<'labelling/change'>> {
  refuseClasses(settings.classes)
  await ctx.db.transaction(async (tx) => {
    await requireSet(tx, user, id, 'own')
    // Whoever adds steps waits here, or is seen below.
    const [set] = await tx.select().from(labelSets).where(eq(labelSets.id, id)).for('update')
    if (!set) throw fail('label_set_missing')
    const kept = new Set(settings.classes.map((one) => one.id))
    const gone = set.classes.filter((one) => !kept.has(one.id))
    await refuseUsed(tx, id, gone)
    const former = [...set.formerClasses, ...gone].filter((one) => !kept.has(one.id))
    await tx
      .update(labelSets)
      .set({ ...settings, formerClasses: former.slice(-limits.classes) })
      .where(eq(labelSets.id, id))
  })
  return detail(ctx, { id }, { user })
}

function refuseClasses(classes: readonly LabelClass[]): void {
  const problem = classProblem(classes)
  if (problem === null) return
  if (problem.rule === 'too_few') throw fail('labels_too_few')
  if (problem.rule === 'duplicate') throw fail('tag_duplicate', { name: problem.name })
  throw fail('classes_refused', { name: problem.name, rule: problem.rule })
}

/** By any step of any reading: one that was taken back may come again. */
async function refuseUsed(tx: Tx, setId: string, gone: readonly LabelClass[]): Promise<void> {
  if (gone.length === 0) return
  const ids = gone.map(({ id }) => id)
  const { rows } = await tx.execute<{ id: string; count: string; images: string }>(sql`
    select gone.id, count(distinct i.id) as images,
      count(distinct (r.id, coalesce(
        s.deed #>> '{after,id}', s.deed #>> '{before,id}',
        s.deed #>> '{after,number}', s.deed #>> '{before,number}', 'tags'))) as count
    from unnest(${sql.param(ids)}::text[]) as gone (id)
    join label_items i on i.set_id = ${setId}
    join label_readings r on r.item_id = i.id
    join label_steps s on s.reading_id = r.id
      and (s.deed #>> '{after,class}' = gone.id or s.deed #>> '{before,class}' = gone.id
        or (s.deed ->> 'do' = 'tags' and s.deed -> 'after' ? gone.id))
    group by gone.id`)
  const [first] = rows
  const used = gone.find(({ id }) => id === first?.id)
  if (first && used)
    throw fail('class_used', { name: used.name, count: Number(first.count), images: Number(first.images) })
}

export async function remove(
  ctx: Context,
  { id }: Parsed<'labelling/remove'>,
  { user }: Caller,
): Promise<Answer<'labelling/remove'>> {
  await ctx.db.transaction(async (tx) => {
    await requireSet(tx, user, id, 'own')
    await forget(ctx, tx, id)
  })
  return {}
}

/** With all that belongs to it; pages that show one of its readings hear nothing more. */
export async function forget(ctx: Context, tx: Tx, id: string): Promise<void> {
  await tx.delete(labelSets).where(eq(labelSets.id, id))
  await ctx.live.rightsChanged(tx, null)
}

export async function list(
  ctx: Context,
  { projectId, folderId }: Parsed<'labelling/list'>,
  { user }: Caller,
): Promise<Answer<'labelling/list'>> {
  if (projectId !== null) await requireProject(ctx.db, user, projectId, 'view')
  const seen = await selectSeen(
    ctx.db,
    user,
    and(
      projectId === null ? undefined : eq(labelSets.projectId, projectId),
      folderId === null ? undefined : eq(labelSets.folderId, folderId),
    ),
  )
  return { sets: await setsOf(ctx.db, user, seen) }
}

export async function detail(
  ctx: Context,
  { id }: Parsed<'labelling/detail'>,
  { user }: Pick<Caller, 'user'>,
): Promise<Answer<'labelling/detail'>> {
  return setOf(ctx.db, user, await requireSet(ctx.db, user, id, 'read'))
}

export async function gather(
  ctx: Context,
  { id }: Parsed<'labelling/gather'>,
  { user }: Caller,
): Promise<Answer<'labelling/gather'>> {
  await ctx.db.transaction(async (tx) => {
    const set = await requireSet(tx, user, id, 'own')
    await requireFolder(tx, user, set.folderId, 'own')
    await tx.update(labelSets).set({ state: 'gathering', failure: null }).where(eq(labelSets.id, id))
    await queueGathering(ctx, tx, id)
  })
  return detail(ctx, { id }, { user })
}

/** The data set is the caller's, as one made of a folder would be. */
export async function useAsData(
  ctx: Context,
  { id, projectId, use, from }: Parsed<'labelling/useAsData'>,
  { user }: Caller,
): Promise<Answer<'labelling/useAsData'>> {
  const { name, folderId } = await requireSet(ctx.db, user, id, from === 'mine' ? 'read' : 'review')
  return beginLabelled(ctx, user, { projectId, use, folderId, name, labelled: { setId: id, from } })
}

const queueGathering = (ctx: Context, tx: Tx, setId: string): Promise<void> =>
  ctx.jobs.send(tx, 'labelling.gather', { setId }, { singletonKey: setId })
