/** Turns rows into routes: who is calling, body to schema, service, schema to answer. Knows no feature. */

import { calls, type Path } from '@neuroloom/contract/calls'
import { labelling, requests } from '@neuroloom/contract/limits'
import type { Route } from '@neuroloom/contract/route'
import { SUCCESS_CODE } from '@neuroloom/contract/success'
import type { FastifyInstance } from 'fastify'
import { oneAtATime } from '../infra/aside/slices.ts'
import type { Context } from '../infra/context.ts'
import { requireModule } from '../infra/modules/modules.ts'
import { requireAdministrator } from './access.ts'
import { isSmall, readBody } from './body.ts'
import { addCallers, type Gate, guestOf } from './gate.ts'
import { watchLargeBodies } from './large-bodies.ts'
import type { Rows } from './row.ts'

export const API_PREFIX = '/AI/api/'
/** Nothing that takes longer is done inside a call: that is what jobs are for. */
const HANDLER_MS = 30_000
const MEGABYTE = 1024 * 1024
/** Lists of 20,000 paths fit, and networks with a megabyte of text as JSON; ordinary bodies are far smaller. */
const largeBodies: Partial<Record<Path, number>> = {
  'files/prepare': 8 * MEGABYTE,
  // A picture of 6 MB as text.
  'flow/keepFigure': 9 * MEGABYTE,
  'labelling/save': labelling.saveBytes,
  'recipes/start': 8 * MEGABYTE,
  'networks/create': 4 * MEGABYTE,
  'networks/save': 4 * MEGABYTE,
  'networks/look': 4 * MEGABYTE,
}

export function addCalls(app: FastifyInstance, ctx: Context, rows: Partial<Rows<Path>>, gate: Gate): void {
  addCallers(app, ctx, gate)
  const counted = watchLargeBodies(app, ctx)
  for (const path of Object.keys(rows).filter(isPath)) {
    const row = rows[path]
    if (!row) continue
    const { request: schema, response }: Route = calls[path]
    const inTurn = row.access !== 'anyone' && row.inTurn === true
    const bodyLimit = row.access === 'anyone' ? requests.smallBytes : largeBodies[path]
    app.route({
      method: 'POST',
      url: API_PREFIX + path,
      handlerTimeout: HANDLER_MS,
      config: { isJson: true, isOpen: row.access === 'anyone', inTurn },
      ...(bodyLimit ? { bodyLimit } : {}),
      handler: async (request, reply) => {
        const guest = guestOf(request, reply, ctx)
        const caller = row.access === 'anyone' ? null : await request.caller(askingOf(row))
        if (caller && row.access === 'administrator') requireAdministrator(ctx, caller)
        if (row.access !== 'anyone' && row.module) requireModule(ctx, row.module)
        const answer = async () => {
          const body = await counted(request, () => readBody(request, schema))
          // The row's type ties schema, function and caller together; a loop over all rows cannot show it.
          const run = row.run as (ctx: Context, body: unknown, who: unknown) => Promise<unknown>
          return response.parse(await run(ctx, body, { ...guest, ...caller }))
        }
        const takesTurn = inTurn && caller !== null && !isSmall(request)
        return reply.send(envelope(path, await (takesTurn ? oneAtATime(caller.user.id, answer) : answer())))
      },
    })
  }
}

/** Contract calls that no feature answers. */
export const missingRows = (rows: Partial<Rows<Path>>): Path[] =>
  Object.keys(calls)
    .filter(isPath)
    .filter((path) => !rows[path])

const isPath = (path: string): path is Path => Object.hasOwn(calls, path)

const askingOf = (row: { keepsSession?: false; beforePassword?: true }) => ({
  keepsSession: row.keepsSession !== false,
  beforePassword: row.beforePassword === true,
})

function envelope(path: Path, data: unknown): object {
  const { spread }: Route = calls[path]
  const frame = { code: SUCCESS_CODE, message: 'success', data }
  return spread && typeof data === 'object' ? { ...data, ...frame } : frame
}
