/** Pictures that are too large for one: in tiles of each size, kept and forgotten as all views are. */
import { createHash } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { labelling, viewing as limits } from '@neuroloom/contract/limits'
import type { Context } from '../../../infra/context.ts'
import { newId } from '../../../infra/ids.ts'
import { ReaderFailure, read } from '../../../infra/reader/reader.ts'
import type { TilesAnswer, ViewAnswer } from '../../../infra/reader/tasks.ts'
import { readerFolder } from './folders.ts'
import { bytesOfSource, findView, keepView, keyOf, layOut, patienceOf, type ViewSource } from './make.ts'
import type { ViewRow } from './tables.ts'

/** Whether browsers are given tiles of it: it is a large picture, or so large that it was not read as one. */
export function isTiled({ answer }: ViewRow): boolean {
  if ('refused' in answer) return answer.refused.name === 'too_large'
  const { kind, facts } = answer.viewed
  if (kind !== 'picture' || !facts) return false
  const [width, height] = facts.size
  return Math.max(width, height) > labelling.wholeSide || width * height > labelling.wholePixels
}

export const findTiles = (ctx: Context, source: ViewSource): Promise<ViewRow | null> =>
  findView(ctx, tilesKey(source))

const tilesKey = (source: ViewSource): string =>
  createHash('sha256')
    .update(`tiles ${labelling.tileSide} ${keyOf(source)}`)
    .digest('hex')

/** By a job: it takes as long as the picture is large. */
export async function makeTiles(ctx: Context, source: ViewSource): Promise<ViewRow> {
  // As much as a picture may unpack to, and its smaller sizes.
  await ctx.room.require(bytesOfSource(source) * 2)
  const folder = join(readerFolder(ctx), newId())
  await mkdir(folder, { recursive: true })
  try {
    const answer = viewOf(await ask(ctx, source, folder))
    return await keepView(ctx, source, { key: tilesKey(source), answer, folder })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function ask(ctx: Context, source: ViewSource, folder: string): Promise<TilesAnswer> {
  const task = {
    ...{ task: 'tiles' as const, ...(await layOut(ctx, source, folder)), out: folder },
    ...{ limitBytes: limits.pixelBytes, side: labelling.tileSide, mostPixels: labelling.voxels },
  }
  try {
    return await read(task, { log: ctx.log, folder, ...patienceOf('job') })
  } catch (error) {
    if (error instanceof ReaderFailure) return { refused: error.reason }
    throw error
  }
}

function viewOf(answer: TilesAnswer): ViewAnswer {
  const nothing = { tags: [], series: null }
  if ('refused' in answer) return { ...nothing, refused: answer.refused }
  const { made, facts, ...tiles } = answer.tiled
  return { ...nothing, viewed: { kind: 'picture', made, facts, notes: [], tiles } }
}
