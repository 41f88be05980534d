import type { Answer, Parsed } from '@neuroloom/contract/calls'
import type { DatasetUse } from '@neuroloom/contract/datasets'
import { datasets as limits } from '@neuroloom/contract/limits'
import { and, asc, eq, gt, inArray, ne, sql } from 'drizzle-orm'
import type { Caller } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import type { Db } from '../../../infra/db.ts'
import { requireProject } from '../../projects/access.ts'
import { requireDataset } from '../access.ts'
import { originsOf, seenBefore } from '../data-facts.ts'
import { datasetOf, itemShower } from '../show.ts'
import { type DatasetRow, datasetDoubles, datasetItems, datasets, projectDatasets } from '../tables.ts'
import { sharedItems } from './shared.ts'

const PAGE = limits.doubles.page

export async function doubles(
  ctx: Context,
  { id, other, after }: Parsed<'datasets/doubles'>,
  caller: Caller,
): Promise<Answer<'datasets/doubles'>> {
  const dataset = await requireReady(ctx.db, caller, id)
  if (other !== null) return acrossSets(ctx, caller, { dataset, otherId: other, after })
  const [found, total] = await Promise.all([
    ctx.db
      .select()
      .from(datasetDoubles)
      .where(and(eq(datasetDoubles.datasetId, id), gt(datasetDoubles.number, after)))
      .orderBy(asc(datasetDoubles.number))
      .limit(PAGE + 1),
    ctx.db.$count(datasetDoubles, eq(datasetDoubles.datasetId, id)),
  ])
  const page = found.slice(0, PAGE)
  const itemAt = await itemsAt(ctx, caller, {
    dataset,
    positions: page.flatMap(({ position, otherPosition }) => [position, otherPosition]),
  })
  const pairs = page.map(({ position, otherPosition, distance, kind }) => ({
    ...{ first: itemAt(position), second: itemAt(otherPosition), distance, kind },
  }))
  return { doubles: pairs, next: found.length > PAGE ? (page.at(-1)?.number ?? null) : null, total }
}

async function acrossSets(
  ctx: Context,
  caller: Caller,
  { dataset, otherId, after }: { dataset: DatasetRow; otherId: string; after: number },
): Promise<Answer<'datasets/doubles'>> {
  const other = await requireReady(ctx.db, caller, otherId)
  const all = await sharedItems(ctx.db, caller.user.id, [dataset, other])
  const page = all.slice(after, after + PAGE)
  const [first, second] = await Promise.all([
    itemsAt(ctx, caller, { dataset, positions: page.map(({ position }) => position) }),
    itemsAt(ctx, caller, { dataset: other, positions: page.map(({ otherPosition }) => otherPosition) }),
  ])
  const pairs = page.map(({ position, otherPosition, distance }) => ({
    ...{ first: first(position), second: second(otherPosition), distance, kind: 'other' as const },
  }))
  return { doubles: pairs, next: after + PAGE < all.length ? after + PAGE : null, total: all.length }
}

async function requireReady(db: Db, { user }: Caller, id: string): Promise<DatasetRow> {
  const dataset = await requireDataset(db, user, id, 'view')
  if (dataset.state !== 'ready') throw fail('dataset_not_ready')
  return dataset
}

async function itemsAt(
  ctx: Context,
  caller: Caller,
  { dataset, positions }: { dataset: DatasetRow; positions: number[] },
) {
  const show = itemShower(ctx, caller, dataset)
  const rows = await ctx.db
    .select()
    .from(datasetItems)
    .where(
      and(
        eq(datasetItems.datasetId, dataset.id),
        inArray(datasetItems.position, positions.length > 0 ? positions : [0]),
      ),
    )
  const known = new Map(rows.map((row) => [row.position, show(row)]))
  return (position: number) => {
    const item = known.get(position)
    // Both rows are written and deleted in one transaction; a recheck may have come in between.
    if (!item) throw fail('dataset_not_ready')
    return item
  }
}

/** With which sets of the other use in the project, and how many items of this one. */
export async function shared(
  ctx: Context,
  { id, projectId }: Parsed<'datasets/shared'>,
  caller: Caller,
): Promise<Answer<'datasets/shared'>> {
  await requireProject(ctx.db, caller.user, projectId, 'view')
  const dataset = await requireReady(ctx.db, caller, id)
  const sets: Answer<'datasets/shared'>['sets'] = []
  for (const { other, use } of await oppositeSets(ctx.db, { id, projectId })) {
    const found = await sharedItems(ctx.db, caller.user.id, [dataset, other])
    if (found.length > 0) sets.push({ id: other.id, name: other.name, use, items: found.length })
  }
  return { sets }
}

async function oppositeSets(
  db: Db,
  { id, projectId }: { id: string; projectId: string },
): Promise<{ other: DatasetRow; use: DatasetUse }[]> {
  const inProject = eq(projectDatasets.projectId, projectId)
  const [own] = await db
    .select({ use: projectDatasets.use })
    .from(projectDatasets)
    .where(and(inProject, eq(projectDatasets.datasetId, id)))
  if (!own) throw fail('dataset_missing')
  return db
    .select({ other: datasets, use: projectDatasets.use })
    .from(projectDatasets)
    .innerJoin(datasets, eq(datasets.id, projectDatasets.datasetId))
    .where(and(inProject, ne(projectDatasets.use, own.use), ne(datasets.id, id), eq(datasets.state, 'ready')))
    .orderBy(asc(projectDatasets.addedAt), asc(datasets.id))
}

/**
 * Changes what trainings from now on do with test items that are also given for learning, or whose patients are;
 * earlier ones keep their manifest.
 */
export async function leaveAside(
  ctx: Context,
  { id, aside }: Parsed<'datasets/leaveAside'>,
  { user }: Caller,
): Promise<Answer<'datasets/leaveAside'>> {
  return ctx.db.transaction(async (tx) => {
    await requireDataset(tx, user, id, 'own')
    const [dataset] = await tx.select().from(datasets).where(eq(datasets.id, id)).for('update')
    if (!dataset) throw fail('dataset_missing')
    const { facts } = dataset
    if (dataset.state !== 'ready' || !facts?.doubles) throw fail('dataset_not_ready')
    const given = (await itemsOf(tx, id)).map((item) => ({ ...item, part: item.part ?? item.asidePart }))
    const sisters = seenBefore(given).flatMap((index) => given[index]?.position ?? [])
    const copies = await tx
      .select({ position: datasetDoubles.position })
      .from(datasetDoubles)
      .where(and(eq(datasetDoubles.datasetId, id), eq(datasetDoubles.kind, 'crossing')))
    const positions = [...new Set([...sisters, ...copies.map(({ position }) => position)])]
    const [from, to] = aside
      ? [datasetItems.part, 'asidePart' as const]
      : [datasetItems.asidePart, 'part' as const]
    const cleared = aside ? { part: null } : { asidePart: null }
    await tx
      .update(datasetItems)
      .set({ ...cleared, [to]: sql`${from}` })
      .where(
        and(
          eq(datasetItems.datasetId, id),
          sql`${datasetItems.position} = any(${sql.param(positions)})`,
          sql`${from} is not null`,
        ),
      )
    const origin = facts.origin && { origin: { ...facts.origin, aside: aside ? facts.origin.crossing : 0 } }
    const counts = { ...facts.doubles, aside: aside ? facts.doubles.crossing : 0 }
    const [row] = await tx
      .update(datasets)
      .set({
        leavesAside: aside,
        facts: { ...facts, ...originsOf(await itemsOf(tx, id)), ...origin, doubles: counts },
      })
      .where(eq(datasets.id, id))
      .returning()
    if (!row) throw fail('dataset_missing')
    await ctx.live.publish(tx, { kind: 'dataset', id }, 'changed', {})
    return datasetOf(tx, user, { row, projectId: null })
  })
}

const itemsOf = (db: Db, id: string) =>
  db
    .select({
      position: datasetItems.position,
      part: datasetItems.part,
      asidePart: datasetItems.asidePart,
      patient: datasetItems.patient,
      class: datasetItems.class,
      labels: datasetItems.labels,
      boxes: datasetItems.boxes,
    })
    .from(datasetItems)
    .where(eq(datasetItems.datasetId, id))
    .orderBy(asc(datasetItems.position))
