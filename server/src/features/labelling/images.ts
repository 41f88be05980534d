/** What the editor draws of an image: made ready beside the call where that takes long, and told to whoever waits for it. */
import type { LabelImage } from '@neuroloom/contract/labelling/labelling'
import { client, labelling as limits } from '@neuroloom/contract/limits'
import type { ViewReason } from '@neuroloom/contract/viewing'
import { and, asc, eq, isNull } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import type { Caller } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Context, WorkerContext } from '../../infra/context.ts'
import type { Db } from '../../infra/db.ts'
import { type Holder, holderClaims, verifyLink } from '../accounts/access.ts'
import {
  findTiles,
  isTiled,
  makeTiles,
  sendShownBytes,
  sendTile,
  sendWhile,
  shownLater,
  shownNow,
  type ViewRow,
  type ViewSource,
} from '../files/service.ts'
import { requireItem, type SeenItem } from './access.ts'
import { type LabelItemRow, labelItems, labelSources } from './tables.ts'

const PATH = '/AI/api/labelling/shown'
const TILE_PATH = '/AI/api/labelling/tile'

type Imaged = { image: LabelImage; item: LabelItemRow }
const nothing = { reason: null, url: null, tiles: null, facts: null }

/** Whoever opens it learns its size, once it is known. `measured`: what the page found of a video. */
export async function imageOf(
  ctx: Context,
  caller: Caller,
  { seen: { item }, measured }: { seen: SeenItem; measured: Size | null },
): Promise<Imaged> {
  const source = await sourceOf(ctx.db, item.id)
  if (item.kind === 'video') {
    const sized = item.width === null && measured ? await keepFound(ctx.db, item, { size: measured }) : item
    return { image: { ...nothing, state: 'ready', url: urlOf(ctx, caller, { item, source }) }, item: sized }
  }
  const row = await shownNow(ctx, source)
  const tiles = row && isTiled(row) ? await findTiles(ctx, source) : null
  if (!row || (isTiled(row) && !tiles)) {
    const asked = { itemId: item.id, userId: caller.user.id }
    await ctx.jobs.send(null, 'labelling.image', asked, { singletonKey: item.id })
    return { image: { ...nothing, state: 'preparing' }, item }
  }
  return drawn(ctx, caller, { item, source, row: tiles ?? row })
}

async function drawn(ctx: Context, caller: Caller, found: Addressed & { row: ViewRow }): Promise<Imaged> {
  const { answer } = found.row
  const refused = (reason: ViewReason): Imaged => ({
    image: { ...nothing, state: 'refused', reason },
    item: found.item,
  })
  if ('refused' in answer) return refused(answer.refused)
  const { facts, kind, tiles } = answer.viewed
  const [width = 0, height = 0, slices = 0] = facts?.size ?? []
  const size: Size = [width, height, Math.max(1, slices)]
  if (!isLabelled(size))
    return refused({ name: 'too_large', params: { limit: Math.round(limits.voxels / 1e6) } })
  const shown = { kind: kind === 'volume' ? kind : ('picture' as const), size }
  const item = found.item.width === null ? await keepFound(ctx.db, found.item, shown) : found.item
  if (!tiles) return { image: { ...nothing, state: 'ready', url: urlOf(ctx, caller, found), facts }, item }
  const tiled = { url: tileUrlOf(ctx, caller, found), side: limits.tileSide, levels: tiles.levels }
  return { image: { ...nothing, state: 'ready', tiles: tiled, facts }, item }
}

/** Whether a map of it fits memory, and its places the journal. */
const isLabelled = ([width, height, slices]: Size): boolean =>
  width > 0 &&
  Math.max(width, height) <= limits.side &&
  slices <= limits.slices &&
  width * height * slices <= limits.voxels

type Size = [number, number, number]

/** The first word counts: marks are made on it. A name alone does not tell a picture from a volume. */
async function keepFound(
  db: Db,
  item: LabelItemRow,
  { size: [width, height, depth], kind = item.kind }: { size: Size; kind?: LabelItemRow['kind'] },
): Promise<LabelItemRow> {
  await db
    .update(labelItems)
    .set({ width, height, depth, kind })
    .where(and(eq(labelItems.id, item.id), isNull(labelItems.width)))
  const [kept] = await db.select().from(labelItems).where(eq(labelItems.id, item.id))
  if (!kept) throw fail('label_item_missing')
  return kept
}

/** Of an image's bytes as they were when it was gathered. */
export async function sourceOf(db: Db, itemId: string): Promise<ViewSource> {
  const rows = await db
    .select()
    .from(labelSources)
    .where(eq(labelSources.itemId, itemId))
    .orderBy(asc(labelSources.place))
  const of = (role: 'file' | 'sibling') =>
    rows
      .filter((row) => row.role === role)
      .map(({ name, sha256, sizeBytes }) => ({ name, sha256, sizeBytes }))
  return { files: of('file'), siblings: of('sibling') }
}

type Addressed = { item: LabelItemRow; source: ViewSource; row?: ViewRow }

function urlOf(ctx: Context, holder: Holder, { item, source, row }: Addressed): string {
  const made = row?.made ?? null
  const claims = {
    kind: 'labelling',
    id: item.id,
    ...(row && made !== null
      ? { key: row.key, made }
      : { bytes: source.files[0]?.sha256.slice(0, 12) ?? '' }),
    ...holderClaims(holder),
  }
  return `${PATH}?${ctx.links.sign(claims, limits.linkMs)}`
}

/** With places for level, column and row; all of them have one signature. */
function tileUrlOf(ctx: Context, holder: Holder, { item, row }: Addressed & { row: ViewRow }): string {
  const tiles = 'viewed' in row.answer ? row.answer.viewed.tiles : undefined
  const claims = {
    ...{ kind: 'labelTile', id: item.id, key: row.key, made: row.made ?? '', ...holderClaims(holder) },
    ...{ levels: String(tiles?.levels ?? 0), ending: tiles?.ending ?? '' },
  }
  return `${TILE_PATH}/{level}/{x}/{y}?${ctx.links.sign(claims, limits.linkMs)}`
}

/** They end with the right to the set. */
export function addImageRoutes(app: FastifyInstance, ctx: Context): void {
  app.get(PATH, { handlerTimeout: client.downloadTimeoutMs }, async (request, reply) => {
    const { id, userId, key, made } = await verifyLink(ctx, request.query, 'labelling')
    const find = () => requireItem(ctx.db, { id: userId }, id, 'read')
    const { set } = await find()
    await sendWhile(ctx, reply, { ownerId: set.ownerId, check: find })
    const { files } = await sourceOf(ctx.db, id)
    const [file] = files
    if (!file) throw fail('missing')
    return sendShownBytes(ctx, { key, made, file }, { request, reply })
  })
  app.get(`${TILE_PATH}/:level/:x/:y`, async (request, reply) => {
    const claims = await verifyLink(ctx, request.query, 'labelTile')
    const { id, userId, key = '', made = '', ending = '' } = claims
    const place = placeSchema.safeParse(request.params)
    const level = Number(claims.levels) - 1 - (place.data?.level ?? 0)
    if (!place.success || level < 0) throw fail('missing')
    await requireItem(ctx.db, { id: userId }, id, 'read')
    // So small that nobody takes the right away while it is sent.
    return sendTile(ctx, { ...place.data, key, made, ending, level }, { request, reply })
  })
}

const whole = z.coerce.number().int().min(0).max(limits.side)
const placeSchema = z.object({ level: whole, x: whole, y: whole })

/** The job: with all the time there is; then the page asks again. */
export async function prepareImage(
  ctx: WorkerContext,
  { itemId, userId }: { itemId: string; userId: string },
): Promise<void> {
  const source = await sourceOf(ctx.db, itemId)
  if (source.files.length > 0) {
    const row = await shownLater(ctx, source)
    if (isTiled(row) && !(await findTiles(ctx, source))) await makeTiles(ctx, source)
  }
  await ctx.live.passing({ kind: 'user', id: userId }, 'labelImage', { itemId })
}
