import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { type Language, languages } from '@neuroloom/contract/language'
import { client, files as limits, reports } from '@neuroloom/contract/limits'
import { eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import sharp from 'sharp'
import type { Caller } from '../../http/access.ts'
import { fileName, sendStream } from '../../http/bytes.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import { holderClaims, verifyLink } from '../accounts/access.ts'
import { users } from '../accounts/tables.ts'
import { type Facts, factsOf, type WorstItem } from './facts.ts'
import { makePdf, type PdfPicture } from './pdf.ts'
import { reportOf, rightsOf } from './show.ts'
import { wordsOf } from './words.ts'

const PDF_PATH = '/AI/api/reports/pdf'

export async function download(
  ctx: Context,
  { id, language }: Parsed<'reports/download'>,
  caller: Caller,
): Promise<Answer<'reports/download'>> {
  const facts = await factsOf(ctx, caller.user, id)
  if (!rightsOf(ctx, caller.user).mayDownload) throw fail('report_level')
  const claims = { kind: 'report', id, language, ...holderClaims(caller) }
  return { url: `${PDF_PATH}?${ctx.links.sign(claims, limits.linkMs)}`, name: nameOf(facts) }
}

const nameOf = ({ project, test }: Facts): string =>
  `${fileName(`${project.name}-report-${test.number}`)}.pdf`

export function addReportRoute(app: FastifyInstance, ctx: Context): void {
  const options = { exposeHeadRoute: false, handlerTimeout: client.downloadTimeoutMs }
  app.get(PDF_PATH, options, async (request, reply) => {
    const { id, userId, language: asked } = await verifyLink(ctx, request.query, 'report')
    const [user] = await ctx.db.select().from(users).where(eq(users.id, userId))
    // Looked at again now: the right may have gone, and so may the level.
    const facts = await factsOf(ctx, { id: userId }, id)
    const rights = user && rightsOf(ctx, user)
    if (!rights?.mayDownload) throw fail('report_level')
    const language: Language = languages.find((one) => one === asked) ?? 'en'
    const pictures = await picturesOf(ctx, facts)
    const report = await reportOf(facts, {
      language,
      rights,
      urlOf: (item) => (pictures.has(item.result.id) ? item.result.id : null),
    })
    const words = wordsOf(language)
    const content = await makePdf({
      report,
      pictures: Object.fromEntries(pictures),
      texts: {
        watermark: words.t('watermark'),
        foot: words.t('foot', { run: facts.test.id }),
        page: words.t('page'),
        drawingTooLarge: words.t('network.tooLarge'),
      },
    })
    return sendStream(reply, {
      name: nameOf(facts),
      contentType: 'application/pdf',
      content: Readable.from([content]),
    })
  })
}

/** By item, as PNG of a size for paper; what cannot be read as a picture is left out. */
async function picturesOf(ctx: Context, { worst }: Facts): Promise<Map<string, PdfPicture>> {
  const found = await Promise.all(
    worst.map(async (item) => [item.result.id, await pictureOf(ctx, item)] as const),
  )
  return new Map(found.flatMap(([id, picture]) => (picture === null ? [] : [[id, picture] as const])))
}

async function pictureOf(ctx: Context, { overlay, image }: WorstItem): Promise<PdfPicture | null> {
  const sha256 = overlay ?? image
  if (sha256 === null) return null
  try {
    const bytes = await buffer(ctx.storage.read(sha256))
    const { data, info } = await sharp(bytes, { limitInputPixels: reports.picturePixels })
      .resize({
        width: reports.pictureSide,
        height: reports.pictureSide,
        fit: 'inside',
        withoutEnlargement: true,
      })
      .flatten({ background: '#ffffff' })
      .png()
      .toBuffer({ resolveWithObject: true })
    return { png: data, width: info.width, height: info.height }
  } catch (error) {
    ctx.log.info({ err: error, sha256 }, 'a picture is left out of a report')
    return null
  }
}
