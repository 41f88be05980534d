import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { burnedIn, client, viewing } from '@neuroloom/contract/limits'
import { and, eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import { newId } from '../../../infra/ids.ts'
import { ReaderBusy, ReaderFailure, read } from '../../../infra/reader/reader.ts'
import { type Holder, holderClaims, verifyLink } from '../../accounts/access.ts'
import { requireFile, type SeenFile } from '../access.ts'
import { readerFolder } from '../view/folders.ts'
import { layOut, patienceOf } from '../view/make.ts'
import { type PictureRow, textPictures, textScans } from './tables.ts'

const PATH = '/AI/api/files/textFrame'

/** Address of a picture of a search, to which pages add the frame; good as long as the session and the right to the file. */
export function frameUrl(ctx: Context, holder: Holder, picture: PictureRow): string {
  const claims = { kind: 'textFrame', id: picture.scanId, position: String(picture.position) }
  return `${PATH}?${ctx.links.sign({ ...claims, ...holderClaims(holder) }, viewing.linkMs)}`
}

const questionSchema = z.object({
  frame: z.coerce.number().int().min(0).max(burnedIn.frames).default(0),
  small: z.string().optional(),
})

/** In the pixels in which texts were found: other views turn volumes and take other windows. */
export function addFrameRoute(app: FastifyInstance, ctx: Context): void {
  app.get(PATH, { handlerTimeout: client.downloadTimeoutMs }, async (request, reply) => {
    // Added by the page, so no part of what was signed.
    const { frame: asked, small, ...signed } = z.record(z.string(), z.unknown()).parse(request.query)
    const question = questionSchema.parse({ frame: asked, small })
    const { id, position = '', userId } = await verifyLink(ctx, signed, 'textFrame')
    const file = await fileOf(ctx, { scanId: id, position: Number(position), userId })
    const side = question.small === undefined ? burnedIn.side : SMALL
    const bytes = await inTurn(() => frameOf(ctx, file, { frame: question.frame, side }))
    reply
      .header('content-type', 'image/webp')
      .header('content-security-policy', "sandbox; default-src 'none'")
      .header('x-content-type-options', 'nosniff')
      .header('cross-origin-resource-policy', 'same-origin')
      .header('cache-control', 'private, max-age=600, immutable')
    return reply.send(bytes)
  })
}

let before: Promise<unknown> = Promise.resolve()

/** A list asks for dozens at once: one after the other, so that others who look at images find the reader free. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const mine = before.then(work, work)
  before = mine.catch(() => undefined)
  return mine
}

/** In pixels: for lists. */
const SMALL = 480

type Which = { scanId: string; position: number; userId: string }

async function fileOf(ctx: Context, { scanId, position, userId }: Which): Promise<SeenFile> {
  const [row] = await ctx.db
    .select({ sourceId: textPictures.sourceId, sourceSha256: textPictures.sourceSha256 })
    .from(textPictures)
    .innerJoin(textScans, eq(textScans.id, textPictures.scanId))
    .where(
      and(
        eq(textPictures.scanId, scanId),
        eq(textPictures.position, position),
        eq(textScans.ownerId, userId),
      ),
    )
  if (!row || row.sourceId === null) throw fail('missing')
  const file = await requireFile(ctx.db, { id: userId }, row.sourceId, 'view')
  if (file.sha256 !== row.sourceSha256) throw fail('missing')
  return file
}

async function frameOf(
  ctx: Context,
  file: SeenFile,
  asked: { frame: number; side: number },
): Promise<Buffer> {
  const folder = join(readerFolder(ctx), newId())
  await mkdir(folder, { recursive: true })
  try {
    const laidOut = await layOut(ctx, { files: [file], siblings: [] }, folder)
    const task = { task: 'frame', ...laidOut, out: folder, limitBytes: viewing.pixelBytes, ...asked } as const
    const answer = await read(task, { log: ctx.log, folder, ...patienceOf('call') })
    if ('refused' in answer) throw fail('missing')
    return await readFile(join(folder, answer.made))
  } catch (error) {
    if (error instanceof ReaderFailure || error instanceof ReaderBusy) throw fail('busy')
    throw error
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
