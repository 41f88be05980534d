import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { images, flow as limits } from '@neuroloom/contract/limits'
import { and, eq } from 'drizzle-orm'
import type { Caller } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import { newId } from '../../../infra/ids.ts'
import { addBlob } from '../../../infra/storage/blobs.ts'
import { storeMade } from '../../files/service.ts'
import { requireRun } from '../../runs/access.ts'
import { workFolder } from '../folder.ts'
import { holdDone } from './access.ts'
import { tellKept } from './sections.ts'
import { shownFigures } from './show.ts'
import { flowFigures } from './tables.ts'

export async function keepFigure(
  ctx: Context,
  { runId, caption, png }: Parsed<'flow/keepFigure'>,
  caller: Caller,
): Promise<Answer<'flow/keepFigure'>> {
  await requireRun(ctx.db, caller.user, runId, 'edit')
  const bytes = Buffer.from(png, 'base64')
  const size = sizeOf(bytes)
  if (size === null || bytes.length > limits.figureBytes)
    throw fail('flow_figure_unfit', { size: `${limits.figureBytes / 1024 ** 2} MB` })
  await ctx.room.require(bytes.length)
  const stored = await store(ctx, bytes)
  await ctx.db.transaction(async (tx) => {
    await holdDone(tx, caller.user, runId, 'edit')
    const limit = limits.figures
    if ((await tx.$count(flowFigures, eq(flowFigures.runId, runId))) >= limit)
      throw fail('flow_figures', { limit })
    await addBlob(tx, stored)
    const row = { id: newId(), runId, caption, ...stored, ...size, createdAt: ctx.now() }
    await tx.insert(flowFigures).values(row)
    await tellKept(ctx, tx, runId)
  })
  return { figures: await shownFigures(ctx, caller, runId) }
}

async function store(ctx: Context, bytes: Buffer) {
  await mkdir(workFolder(ctx), { recursive: true })
  const path = join(workFolder(ctx), `${newId()}.png`)
  try {
    await writeFile(path, bytes)
    return await storeMade(ctx, path)
  } finally {
    await rm(path, { force: true })
  }
}

export async function removeFigure(
  ctx: Context,
  { runId, figureId }: Parsed<'flow/removeFigure'>,
  caller: Caller,
): Promise<Answer<'flow/removeFigure'>> {
  await ctx.db.transaction(async (tx) => {
    await requireRun(tx, caller.user, runId, 'edit')
    const gone = await tx
      .delete(flowFigures)
      .where(and(eq(flowFigures.runId, runId), eq(flowFigures.id, figureId)))
      .returning({ id: flowFigures.id })
    if (gone.length === 0) throw fail('missing')
    await tellKept(ctx, tx, runId)
  })
  return { figures: await shownFigures(ctx, caller, runId) }
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
/** Length 0, `IEND` and its checksum. */
const END = Buffer.from([0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82])

/** Pixels of a PNG (ISO/IEC 15948), by its first chunk; null where the bytes are none, or too many pixels. */
export function sizeOf(bytes: Buffer): { width: number; height: number } | null {
  if (bytes.length < 45 || !bytes.subarray(0, 8).equals(SIGNATURE)) return null
  if (!bytes.subarray(-END.length).equals(END)) return null
  const head = bytes.subarray(12, 29)
  const isHead = bytes.readUInt32BE(8) === 13 && head.subarray(0, 4).toString('latin1') === 'IHDR'
  if (!isHead || crc32(head) !== bytes.readUInt32BE(29)) return null
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
  return width > 0 && height > 0 && width * height <= images.maxPixels ? { width, height } : null
}
