import { Readable } from 'node:stream'
import type { Answer } from '@neuroloom/contract/calls'
import { deedOf } from '@neuroloom/contract/files'
import { type Language, languages } from '@neuroloom/contract/language'
import { client, files as limits } from '@neuroloom/contract/limits'
import type { FastifyInstance } from 'fastify'
import type { Caller } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import { CSV_MARK, csvLine } from '../../../infra/csv.ts'
import { sayer, textsOf } from '../../../infra/texts.ts'
import { holderClaims, verifyLink } from '../../accounts/access.ts'
import { requireEntry } from '../access.ts'
import { type RecordQuery, type RecordRow, recordsOf } from './record-list.ts'

const RECORDS_PATH = '/AI/api/files/recordTable'
const READ_AT_ONCE = 1000

export async function exportRecords(
  ctx: Context,
  query: RecordQuery,
  caller: Caller,
): Promise<Answer<'files/exportRecords'>> {
  if (query.entryId !== null) await requireEntry(ctx.db, caller.user, query.entryId, 'view')
  const claims = {
    kind: 'records',
    id: caller.user.id,
    query: JSON.stringify(query),
    language: caller.language,
    ...holderClaims(caller),
  }
  return { url: `${RECORDS_PATH}?${ctx.links.sign(claims, limits.linkMs)}` }
}

export function addRecordRoute(app: FastifyInstance, ctx: Context): void {
  const options = { exposeHeadRoute: false, handlerTimeout: client.downloadTimeoutMs }
  app.get(RECORDS_PATH, options, async (request, reply) => {
    const { userId, query = '', language: said } = await verifyLink(ctx, request.query, 'records')
    const language = languages.find((one) => one === said)
    if (language === undefined) throw fail('link_expired')
    // Signed by ourselves, so it is the parsed query that we put in.
    const asked = JSON.parse(query) as RecordQuery
    const day = ctx.now().toISOString().slice(0, 10)
    return reply
      .header('content-type', 'text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="records-${day}.csv"`)
      .header('cache-control', 'private, no-store')
      .header('x-content-type-options', 'nosniff')
      .send(Readable.from(linesOf(ctx, { userId, query: asked, language })))
  })
}

async function* linesOf(
  ctx: Context,
  { userId, query, language }: { userId: string; query: RecordQuery; language: Language },
): AsyncIterable<string> {
  const say = sayer('records', language)
  yield CSV_MARK + csvLine(columns.map((column) => say(`column.${column}`)))
  let before: number | null = null
  for (let left: number = limits.recordsExported; left > 0; left -= READ_AT_ONCE) {
    const limit = Math.min(READ_AT_ONCE, left)
    const rows: RecordRow[] = await recordsOf(ctx.db, { userId, query, before, limit })
    yield rows.map((row) => csvLine(cellsOf(row, language))).join('')
    const last = rows.at(-1)
    if (rows.length < limit || !last) return
    before = last.id
  }
}

const columns = ['at', 'actor', 'action', 'name', 'from', 'to', 'more'] as const
/** Further facts of a record; what is not listed is not for people. */
const details = ['with', 'permission', 'days', 'count', 'replaced', 'automatic'] as const
/** They say all by being there. */
const marks: ReadonlySet<string> = new Set(['automatic'])

function cellsOf({ at, actor, action, name, detail }: RecordRow, language: Language): string[] {
  const say = sayer('records', language)
  const values = textsOf('records', language)
  const { from = '', to = '' } = detail
  const more = details.flatMap((key) => {
    const value = detail[key]
    if (value === undefined || value === 0) return []
    const label = say(`detail.${key}`)
    return marks.has(key) ? [label] : [`${label}: ${values[`value.${value}`] ?? value}`]
  })
  const time = at.toISOString().slice(0, 19).replace('T', ' ')
  const deed = say(`action.${deedOf({ action, detail })}`)
  return [time, actor, deed, name, String(from), String(to), more.join('; ')]
}
