/** Images by their bytes alone, for features that keep bytes whatever becomes of the files: which they are, and what shows them. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { dirname } from 'node:path/posix'
import { buffer } from 'node:stream/consumers'
import { viewing as limits } from '@neuroloom/contract/limits'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sendBytes } from '../../../http/bytes.ts'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import { Refusal } from '../../../infra/reader/model.ts'
import { ReaderBusy, ReaderFailure } from '../../../infra/reader/reader.ts'
import { checkDetachedName, detachedName, HEADER_BYTES } from '../../../infra/reader/volume/detached.ts'
import { isHeader, partnerName } from '../../../infra/reader/volume/pairs.ts'
import { sendMade } from './content.ts'
import { madePath } from './folders.ts'
import { guessKind, HEAD_BYTES, typeShown } from './kinds.ts'
import { bytesOfSource, findView, keyOf, makeView, type OverlaySource, type ViewSource } from './make.ts'
import { headOf } from './sources.ts'
import type { ViewRow } from './tables.ts'

type Named = { path: string; sha256: string; sizeBytes: number }

/** By its first bytes and its name; null of what is no image and no film. */
export async function guessFile(
  ctx: Context,
  { path, sha256, sizeBytes }: Named,
): Promise<'picture' | 'volume' | 'video' | null> {
  const guess = guessKind(await headOf(ctx, { sha256, sizeBytes }, HEAD_BYTES), path)
  if (guess.isImage) return guess.kind
  return guess.kind === 'video' ? 'video' : null
}

/** Of images in two files: the second one, by the path of the one that describes it. */
export async function partnersAmong(ctx: Context, files: readonly Named[]): Promise<Map<string, Named>> {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const partners = new Map<string, Named>()
  for (const file of files) {
    const name = await secondName(ctx, file)
    const folder = dirname(file.path)
    const second = name === null ? undefined : byPath.get(folder === '.' ? name : `${folder}/${name}`)
    if (second && second.path !== file.path) partners.set(file.path, second)
  }
  return partners
}

async function secondName(ctx: Context, file: Named): Promise<string | null> {
  const byName = partnerName(file.path.slice(file.path.lastIndexOf('/') + 1))
  if (byName !== null) return isHeader(file.path) ? byName : null
  if (!/\.(nhdr|nrrd|mhd)$/i.test(file.path)) return null
  const name = detachedName(await headOf(ctx, file, HEADER_BYTES))
  try {
    return name === null ? null : checkDetachedName(name).normalize('NFC')
  } catch (error) {
    // The reader gives the reason.
    if (error instanceof Refusal) return null
    throw error
  }
}

/** What is known of it or found out now; null = a job has to do it, with all the time there is. */
export async function shownNow(ctx: Context, source: ViewSource | OverlaySource): Promise<ViewRow | null> {
  const known = await findView(ctx, keyOf(source))
  if (known) return known
  await ctx.room.require()
  if (bytesOfSource(source) > limits.inCallBytes) return null
  return makeView(ctx, source, 'call').catch((error: unknown) => {
    if (error instanceof ReaderBusy || error instanceof ReaderFailure) return null
    throw error
  })
}

/** The same, by a job. */
export const shownLater = async (ctx: Context, source: ViewSource | OverlaySource): Promise<ViewRow> =>
  (await findView(ctx, keyOf(source))) ?? makeView(ctx, source, 'job')

/** What a page draws of it, as a whole. */
export async function shownBytes(ctx: Context, source: ViewSource, { key, made }: ViewRow): Promise<Buffer> {
  if (made !== null) return readFile(madePath(ctx, key, made))
  const [file] = source.files
  if (!file) throw fail('missing')
  return buffer(ctx.storage.read(file.sha256))
}

type Exchange = { request: FastifyRequest; reply: FastifyReply }
type Stored = { name: string; sha256: string; sizeBytes: number }

/** The bytes that a page draws: what was made of the image, or the file itself. */
export async function sendShownBytes(
  ctx: Context,
  { key, made, file }: { key: string | undefined; made: string | undefined; file: Stored },
  exchange: Exchange,
): Promise<FastifyReply> {
  if (key !== undefined && made !== undefined) return sendMade(madePath(ctx, key, made), exchange)
  const contentType = typeShown(file.name)
  const disposition = contentType === 'application/octet-stream' ? 'attachment' : 'inline'
  return sendBytes(ctx.storage, { ...file, contentType, disposition }, exchange)
}

type Tile = { key: string; made: string; level: number; x: number; y: number; ending: string }

/** `level` as they lie there: 0 is the smallest. */
export const sendTile = (
  ctx: Context,
  { key, made, level, x, y, ending }: Tile,
  exchange: Exchange,
): Promise<FastifyReply> =>
  sendMade(join(madePath(ctx, key, made), String(level), `${x}_${y}.${ending}`), exchange)
