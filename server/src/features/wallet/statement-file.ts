/** A statement as a file: CSV for spreadsheets, PDF for paper. */
import { Readable } from 'node:stream'
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { type Language, languages } from '@neuroloom/contract/language'
import { client, files, membership as limits } from '@neuroloom/contract/limits'
import { yuanText } from '@neuroloom/contract/membership/money'
import { eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import type { Caller } from '../../http/access.ts'
import { sendStream } from '../../http/bytes.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import { CSV_MARK, csvLine } from '../../infra/csv.ts'
import { sayer } from '../../infra/texts.ts'
import { holderClaims, verifyLink } from '../accounts/access.ts'
import { users } from '../accounts/tables.ts'
import { requireSales } from '../payments/access.ts'
import { makePdf } from '../reports/service.ts'
import { countLines, type Period, type Statement, type StatementLine, statementOf } from './statement.ts'

const PATH = '/AI/api/wallet/statementFile'
const KIND = 'wallet-statement'

export async function statement(
  ctx: Context,
  { from, to, format, language }: Parsed<'wallet/statement'>,
  caller: Caller,
): Promise<Answer<'wallet/statement'>> {
  await requireFew(ctx, { userId: caller.user.id, period: { from, to }, format })
  const claims = { kind: KIND, id: caller.user.id, from, to, format, language, ...holderClaims(caller) }
  return {
    url: `${PATH}?${ctx.links.sign(claims, files.linkMs)}`,
    name: nameOf({ from, to }, format),
  }
}

const nameOf = ({ from, to }: Period, format: string): string => `wallet-${from}-${to}.${format}`

type Asked = { userId: string; period: Period; format: 'csv' | 'pdf' }

/** Paper of many thousand lines takes minutes to be set; a spreadsheet is only written. */
async function requireFew(ctx: Context, { userId, period, format }: Asked): Promise<void> {
  const most = limits.statementLines[format]
  if ((await countLines(ctx.db, userId, period)) > most) throw fail('statement_long', { most })
}

export function addStatementRoute(app: FastifyInstance, ctx: Context): void {
  const options = { exposeHeadRoute: false, handlerTimeout: client.downloadTimeoutMs }
  app.get(PATH, options, async (request, reply) => {
    requireSales(ctx)
    const claims = await verifyLink(ctx, request.query, KIND)
    const { userId, from = '', to = '' } = claims
    const language = languages.find((one) => one === claims.language) ?? 'en'
    const format = claims.format === 'pdf' ? 'pdf' : 'csv'
    const period = { from, to }
    const most = limits.statementLines[format]
    const found = await statementOf(ctx.db, userId, { period, most })
    if (!found) throw fail('statement_long', { most })
    const isPdf = format === 'pdf'
    return sendStream(reply, {
      name: nameOf(period, format),
      contentType: isPdf ? 'application/pdf' : 'text/csv; charset=utf-8',
      content: Readable.from(
        isPdf ? [await pdfOf(ctx, userId, { period, language, found })] : csvOf(found, language),
      ),
    })
  })
}

function* csvOf({ openingFen, lines }: Statement, language: Language): Iterable<string> {
  const say = sayer('wallet-statement', language)
  yield CSV_MARK + csvLine(columns.map((column) => say(`column.${column}`)))
  yield csvLine(['', say('opening'), '', '', '', '', yuanText(openingFen), ''])
  for (const line of lines) yield csvLine(cellsOf(line, language))
  yield csvLine(['', say('closing'), '', '', '', '', yuanText(lines.at(-1)?.balanceFen ?? openingFen), ''])
}

const columns = ['at', 'what', 'model', 'number', 'in', 'out', 'balance', 'status'] as const

function cellsOf(line: StatementLine, language: Language): string[] {
  const say = sayer('wallet-statement', language)
  const { at, move, model, number, amountFen, balanceFen, status } = line
  return [
    timeText(at),
    say(`what.${move}`),
    model,
    // With a word before it: spreadsheets keep fifteen digits of a number.
    say('number', { number }),
    amountFen > 0 ? yuanText(amountFen) : '',
    amountFen < 0 ? yuanText(-amountFen) : '',
    yuanText(balanceFen),
    say(`status.${status}`),
  ]
}

/** Eight columns would run off a page: what, which model and which number stand below each other. */
const paperColumns = ['at', 'what', 'in', 'out', 'balance', 'status'] as const

function paperCellsOf(line: StatementLine, language: Language): string[] {
  const [at = '', what = '', model = '', , ...rest] = cellsOf(line, language)
  // The day, and twelve digits: in one piece it would be wider than its column.
  const number = line.number.replace(/^\d{8}/, '$& ')
  return [at, [what, inPieces(model), number].filter((text) => text !== '').join('\n'), ...rest]
}

/** Words are broken that would run out of their column. */
const inPieces = (text: string): string => text.replace(/\S{12}(?=\S)/g, '$& ')

const timeText = (at: Date): string => at.toISOString().slice(0, 19).replace('T', ' ')

async function pdfOf(
  ctx: Context,
  userId: string,
  { period, language, found }: { period: Period; language: Language; found: Statement },
): Promise<Buffer> {
  const say = sayer('wallet-statement', language)
  const [member] = await ctx.db.select({ name: users.nickName }).from(users).where(eq(users.id, userId))
  const { openingFen, lines } = found
  const sum = (sign: 1 | -1): string =>
    yuanText(lines.reduce((total, { amountFen }) => total + Math.max(0, sign * amountFen), 0))
  const fact = (name: string, value: string) => ({ label: say(name), value })
  return makePdf({
    report: {
      title: say('title'),
      subtitle: say('subtitle', { name: member?.name ?? '', ...period }),
      hasWatermark: false,
      sections: [
        {
          id: 'summary',
          title: say('summary'),
          blocks: [
            {
              kind: 'facts',
              facts: [
                fact('period', `${period.from} – ${period.to}`),
                fact('opening', yuanText(openingFen)),
                fact('in', sum(1)),
                fact('out', sum(-1)),
                fact('closing', yuanText(lines.at(-1)?.balanceFen ?? openingFen)),
              ],
            },
          ],
        },
        {
          id: 'moves',
          title: say('moves'),
          blocks: [
            lines.length === 0
              ? { kind: 'text', text: say('nothing') }
              : {
                  kind: 'table',
                  caption: `${period.from} – ${period.to}`,
                  head: paperColumns.map((column) => say(`column.${column}`)),
                  rows: lines.map((line) => paperCellsOf(line, language)),
                },
          ],
        },
      ],
    },
    language,
    pictures: {},
    texts: {
      watermark: '',
      foot: say('foot', { time: timeText(ctx.now()) }),
      page: say('page'),
      drawingTooLarge: '',
    },
  })
}
