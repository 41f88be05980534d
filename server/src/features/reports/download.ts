import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { type Language, languages } from '@neuroloom/contract/language'
import { client, files as limits, reports } from '@neuroloom/contract/limits'
import type { Report } from '@neuroloom/contract/reports'
import { eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import sharp from 'sharp'
import type { Caller } from '../../http/access.ts'
import { fileName, sendStream } from '../../http/bytes.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import { holderClaims, verifyLink } from '../accounts/access.ts'
import { users } from '../accounts/tables.ts'
import { requireRun, type SeenRun } from '../runs/access.ts'
import { type Facts, factsOf } from './facts.ts'
import { flowFactsOf } from './flow/facts.ts'
import { flowReport } from './flow/show.ts'
import { flowWordsOf } from './flow/words.ts'
import { makePdf, type PdfPicture } from './pdf/pdf.ts'
import { type Rights, reportOf, rightsOf } from './show.ts'
import { wordsOf } from './words.ts'

const PDF_PATH = '/AI/api/reports/pdf'

export async function download(
  ctx: Context,
  { id, language }: Parsed<'reports/download'>,
  caller: Caller,
): Promise<Answer<'reports/download'>> {
  const run = await requireRun(ctx.db, caller.user, id, 'view')
  if (run.kind === 'flow') await flowFactsOf(ctx, run)
  else await factsOf(ctx, caller.user, run)
  if (!rightsOf(ctx, caller.user).mayDownload) throw fail('report_level')
  const claims = { kind: 'report', id, language, ...holderClaims(caller) }
  return { url: `${PDF_PATH}?${ctx.links.sign(claims, limits.linkMs)}`, name: nameOf(run) }
}

const nameOf = ({ project, number }: SeenRun): string => `${fileName(`${project.name}-report-${number}`)}.pdf`

export function addReportRoute(app: FastifyInstance, ctx: Context): void {
  const options = { exposeHeadRoute: false, handlerTimeout: client.downloadTimeoutMs }
  app.get(PDF_PATH, options, async (request, reply) => {
    const { id, userId, language: asked } = await verifyLink(ctx, request.query, 'report')
    const [user] = await ctx.db.select().from(users).where(eq(users.id, userId))
    // Looked at again now: the right may have gone, and so may the level.
    const run = await requireRun(ctx.db, { id: userId }, id, 'view')
    const rights = user && rightsOf(ctx, user)
    if (!rights?.mayDownload) throw fail('report_level')
    const language: Language = languages.find((one) => one === asked) ?? 'en'
    const reading = { reader: { id: userId }, language, rights }
    const sheet = await (run.kind === 'flow' ? flowSheet(ctx, run, reading) : testSheet(ctx, run, reading))
    const words = wordsOf(language)
    const content = await makePdf({
      report: sheet.report,
      language,
      pictures: Object.fromEntries(sheet.pictures),
      texts: {
        watermark: words.t('watermark'),
        foot: sheet.foot,
        page: words.t('page'),
        drawingTooLarge: words.t('network.tooLarge'),
      },
    })
    return sendStream(reply, {
      name: nameOf(run),
      contentType: 'application/pdf',
      content: Readable.from([content]),
    })
  })
}

type Sheet = { report: Report; pictures: Map<string, PdfPicture>; foot: string }
type Read = { reader: { id: string }; language: Language; rights: Rights }

async function testSheet(ctx: Context, run: SeenRun, reading: Read): Promise<Sheet> {
  const facts = await factsOf(ctx, reading.reader, run)
  const pictures = await picturesOf(ctx, facts)
  const report = await reportOf(ctx, facts, {
    ...reading,
    addresses: {
      pictureOf: ({ result }) => (pictures.has(result.id) ? result.id : null),
      heatOf: ({ result }) => {
        const url = heatName(result.id)
        return pictures.has(url) ? { url, heat: null } : null
      },
    },
  })
  const foot = wordsOf(reading.language).t(facts.isCross ? 'footCross' : 'foot', { run: run.id })
  return { report, pictures, foot }
}

async function flowSheet(ctx: Context, run: SeenRun, { language, rights }: Read): Promise<Sheet> {
  const facts = await flowFactsOf(ctx, run)
  const found = await Promise.all(
    facts.figures.map(({ id, sha256 }) => pictureOf(ctx, id, { sha256, over: null })),
  )
  const pictures = new Map(found.filter((one) => one !== null))
  const report = flowReport(facts, { language, rights, urlOf: ({ id }) => (pictures.has(id) ? id : null) })
  return { report, pictures, foot: flowWordsOf(language).t('foot', { run: run.id }) }
}

/** An id has no slash. */
const heatName = (itemId: string): string => `${itemId}/heat`

/** By item, as PNG of a size for paper; what cannot be read as a picture is left out. */
async function picturesOf(ctx: Context, { worst, best }: Facts): Promise<Map<string, PdfPicture>> {
  const found = await Promise.all([
    ...worst.flatMap(({ result: { id }, overlay, image, heat }) => [
      pictureOf(ctx, id, { sha256: overlay ?? image, over: null }),
      ...(heat ? [pictureOf(ctx, heatName(id), { sha256: image, over: heat })] : []),
    ]),
    ...best.map(({ result: { id }, overlay, image }) =>
      pictureOf(ctx, id, { sha256: overlay ?? image, over: null }),
    ),
  ])
  return new Map(found.filter((one) => one !== null))
}

/** `over` lies over the whole of the picture, however it must be stretched for that. */
async function pictureOf(
  ctx: Context,
  name: string,
  { sha256, over }: { sha256: string | null; over: string | null },
): Promise<[string, PdfPicture] | null> {
  if (sha256 === null) return null
  try {
    const { data, info } = await open(await buffer(ctx.storage.read(sha256)))
      .resize({
        width: reports.pictureSide,
        height: reports.pictureSide,
        fit: 'inside',
        // A map over a small picture would have its own edges.
        withoutEnlargement: over === null,
      })
      .flatten({ background: '#ffffff' })
      .png()
      .toBuffer({ resolveWithObject: true })
    const { width, height } = info
    if (over === null) return [name, { png: data, width, height }]
    const heat = await open(await buffer(ctx.storage.read(over)))
      .resize({ width, height, fit: 'fill' })
      .png()
      .toBuffer()
    const png = await sharp(data)
      .composite([{ input: heat }])
      .png()
      .toBuffer()
    return [name, { png, width, height }]
  } catch (error) {
    ctx.log.info({ err: error, sha256 }, 'a picture is left out of a report')
    return null
  }
}

const open = (bytes: Buffer) => sharp(bytes, { limitInputPixels: reports.picturePixels })
