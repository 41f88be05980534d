/**
 * Cards: each kind is looked up by the rules of its own page, for all that a page of messages shows at once. What the reader
 * may not open, and what is gone, is not among them.
 */
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { social as limits } from '@neuroloom/contract/limits'
import type { CardKind } from '@neuroloom/contract/social/attachment-kinds'
import type { OpenedCard } from '@neuroloom/contract/social/attachments'
import { and, desc, eq, ilike, inArray, isNotNull, or, type SQL } from 'drizzle-orm'
import type { Caller } from '../../../http/access.ts'
import type { Context } from '../../../infra/context.ts'
import { containing } from '../../../infra/db.ts'
import { datasets, projectDatasets } from '../../datasets/tables.ts'
import { findOwn as findNetworks } from '../../networks/service.ts'
import { networks } from '../../networks/tables.ts'
import { seenProjects, selectSeen } from '../../projects/access.ts'
import { findProjects } from '../../projects/service.ts'
import { projects } from '../../projects/tables.ts'
import { findRuns } from '../../runs/service.ts'
import { runs } from '../../runs/tables.ts'
import { heldBy } from '../../shop/access.ts'
import { listings } from '../../shop/tables.ts'

type Named = { of: CardKind; id: string }

/** By `keyOf`. */
export async function openCards(
  ctx: Context,
  caller: Caller,
  wanted: readonly Named[],
): Promise<Map<string, OpenedCard>> {
  const cards = new Map<string, OpenedCard>()
  for (const of of new Set(wanted.map((one) => one.of))) {
    const ids = [...new Set(wanted.flatMap((one) => (one.of === of ? [one.id] : [])))]
    for (const card of await kinds[of].open(ctx, caller, ids)) cards.set(keyOf(card), card)
  }
  return cards
}

export const keyOf = ({ of, id }: Named): string => `${of} ${id}`

/** Those whose name holds the text, the newest first. */
export async function ownCards(
  ctx: Context,
  { of, text }: Parsed<'social/ownCards'>,
  caller: Caller,
): Promise<Answer<'social/ownCards'>> {
  const ids = await kinds[of].find(ctx, caller, text)
  const cards = await openCards(
    ctx,
    caller,
    ids.map((id) => ({ of, id })),
  )
  return { cards: ids.flatMap((id) => cards.get(keyOf({ of, id })) ?? []) }
}

type Kind = {
  /** Those that the reader may open, in any order. */
  open(ctx: Context, caller: Caller, ids: readonly string[]): Promise<OpenedCard[]>
  /** Ids of what the member could send. */
  find(ctx: Context, caller: Caller, text: string): Promise<string[]>
}

const nothing = { page: null, run: null, task: null, score: null, project: '', dataset: '', priceYuan: null }
const most = limits.ownCards
const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id)

const kinds: Record<CardKind, Kind> = {
  project: {
    async open({ db }, { user }, ids) {
      const rows = await selectSeen(db, user, { where: inArray(projects.id, [...ids]), limit: ids.length })
      return rows.map(({ id, name, task }) => {
        const page = { path: 'projectDetail' as const, id }
        return { ...nothing, kind: 'card', of: 'project', id, name, task, page }
      })
    },
    find: async ({ db }, { user }, text) => idsOf(await findProjects(db, user, { text, limit: most })),
  },
  run: { open: (ctx, caller, ids) => openRuns(ctx, caller, { of: 'run', ids }), find: findOwnRuns },
  report: {
    open: (ctx, caller, ids) => openRuns(ctx, caller, { of: 'report', ids, where: hasReport }),
    async find(ctx, caller, text) {
      const ids = await findOwnRuns(ctx, caller, text)
      const rows = await ctx.db
        .select({ id: runs.id })
        .from(runs)
        .where(and(inArray(runs.id, ids), hasReport))
      const reported = new Set(idsOf(rows))
      return ids.filter((id) => reported.has(id))
    },
  },
  dataset: { open: openDatasets, find: findDatasets },
  network: {
    open: openNetworks,
    find: async ({ db }, { user }, text) => idsOf(await findNetworks(db, user, { text, limit: most })),
  },
  listing: { open: openListings, find: findListings },
}

/** Tests and flow runs have one once they are done. */
const hasReport = and(inArray(runs.kind, ['test', 'flow']), eq(runs.state, 'done'))

type WantedRuns = { of: 'run' | 'report'; ids: readonly string[]; where?: SQL | undefined }

async function openRuns(
  { db }: Context,
  { user }: Caller,
  { of, ids, where }: WantedRuns,
): Promise<OpenedCard[]> {
  const rows = await db
    .select({ run: runs, project: projects.name })
    .from(runs)
    .innerJoin(projects, eq(projects.id, runs.projectId))
    .where(and(inArray(runs.id, [...ids]), inArray(runs.projectId, seenProjects(db, user.id)), where))
  return rows.map(({ run: { id, kind, number, task, score, datasetName }, project }) => ({
    ...nothing,
    kind: 'card',
    ...{ of, id, name: '', run: { kind, number }, task, score, project },
    ...{ dataset: datasetName, page: { path: of, id } },
  }))
}

async function findOwnRuns({ db }: Context, { user, language }: Caller, text: string): Promise<string[]> {
  return idsOf(await findRuns(db, user, { text, limit: most, language }))
}

/** Seen through a project that uses it, whose page shows it. */
async function openDatasets(
  { db }: Context,
  { user }: Caller,
  ids: readonly string[],
): Promise<OpenedCard[]> {
  const rows = await db
    .select({ id: datasets.id, name: datasets.name, task: datasets.task, ownerId: datasets.ownerId })
    .from(datasets)
    .where(inArray(datasets.id, [...ids]))
  const uses = await db
    .select({ id: projectDatasets.datasetId, projectId: projects.id, project: projects.name })
    .from(projectDatasets)
    .innerJoin(projects, eq(projects.id, projectDatasets.projectId))
    .where(
      and(
        inArray(projectDatasets.datasetId, [...ids]),
        inArray(projectDatasets.projectId, seenProjects(db, user.id)),
      ),
    )
    .orderBy(desc(projects.createdAt), desc(projects.id))
  return rows.flatMap(({ id, name, task, ownerId }) => {
    const use = uses.find((one) => one.id === id)
    if (!use && ownerId !== user.id) return []
    const page = use ? { path: 'projectDetail' as const, id: use.projectId } : null
    return [{ ...nothing, kind: 'card', of: 'dataset', id, name, task, project: use?.project ?? '', page }]
  })
}

async function findDatasets({ db }: Context, { user }: Caller, text: string): Promise<string[]> {
  const rows = await db
    .select({ id: datasets.id })
    .from(datasets)
    .where(and(eq(datasets.ownerId, user.id), ilike(datasets.name, containing(text))))
    .orderBy(desc(datasets.createdAt), desc(datasets.id))
    .limit(most)
  return idsOf(rows)
}

/** A network is its owner's alone; others see it as the runs that they may see name it, and are led to one of these. */
async function openNetworks(
  { db }: Context,
  { user }: Caller,
  ids: readonly string[],
): Promise<OpenedCard[]> {
  const own = await db
    .select({ id: networks.id, name: networks.name })
    .from(networks)
    .where(and(inArray(networks.id, [...ids]), eq(networks.ownerId, user.id)))
  const owned = new Set(idsOf(own))
  const others = ids.filter((id) => !owned.has(id))
  const used =
    others.length === 0
      ? []
      : await db
          .selectDistinctOn([runs.network], {
            ...{ id: runs.network, name: runs.ownNetworkName, runId: runs.id, task: runs.task },
          })
          .from(runs)
          .innerJoin(networks, eq(networks.id, runs.network))
          .where(
            and(
              ...[inArray(runs.network, others), isNotNull(runs.ownNetworkName)],
              inArray(runs.projectId, seenProjects(db, user.id)),
            ),
          )
          .orderBy(runs.network, desc(runs.createdAt), desc(runs.id))
  const card = { ...nothing, kind: 'card', of: 'network' } as const
  return [
    ...own.map(({ id, name }) => ({ ...card, id, name, page: { path: 'dripe' as const, id } })),
    ...used.map(({ id, name, runId, task }) => {
      const page = { path: 'run' as const, id: runId }
      return { ...card, id, name: name ?? '', task, page }
    }),
  ]
}

/** What is in the shop while that is on, and of the rest what the member sells or has. */
async function openListings(ctx: Context, { user }: Caller, ids: readonly string[]): Promise<OpenedCard[]> {
  const rows = await ctx.db
    .select()
    .from(listings)
    .where(inArray(listings.id, [...ids]))
  const isOn = !ctx.modules.isOff('shop')
  const isOpen = rows.every(({ state, sellerId }) => (isOn && state === 'listed') || sellerId === user.id)
  const held = isOpen ? new Map<string, unknown>() : await heldBy(ctx, ctx.db, user.id)
  return rows.flatMap(({ id, state, sellerId, version, name, task, priceYuan }) => {
    const isSeen = (isOn && state === 'listed') || sellerId === user.id || (version > 0 && held.has(id))
    if (!isSeen) return []
    const page = { path: 'merchandiseDetail' as const, id }
    return [{ ...nothing, kind: 'card', of: 'listing', id, name, task, priceYuan, page }]
  })
}

/** Those that everybody can open, and one's own. */
async function findListings(ctx: Context, { user }: Caller, text: string): Promise<string[]> {
  const isOwn = eq(listings.sellerId, user.id)
  const isOffered = ctx.modules.isOff('shop') ? isOwn : or(eq(listings.state, 'listed'), isOwn)
  const rows = await ctx.db
    .select({ id: listings.id })
    .from(listings)
    .where(and(isOffered, ilike(listings.name, containing(text))))
    .orderBy(desc(listings.createdAt), desc(listings.id))
    .limit(most)
  return idsOf(rows)
}
