/** The one edge where failures become answers. Callers see names and texts; causes go to the log alone. */
import type { ErrorName, ErrorParams } from '@neuroloom/contract/errors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sqlState } from '../infra/db.ts'
import { newId } from '../infra/ids.ts'
import { isDiskFull } from '../infra/room.ts'
import { codeOf, Failure, fail, statusOf, textOf } from './fail.ts'
import { languageOf } from './gate.ts'

export function addErrorAnswers(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => answer(failureOf(error, request), request, reply))
}

/** Answers a failure where no error was thrown (unknown paths). */
export function answer(failure: Failure, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { failure: name, params, fields } = failure
  return reply
    .code(statusFor(name, request))
    .header('cache-control', 'no-store')
    .send({
      code: codeOf(name),
      message: textOf(name, params, languageOf(request)),
      data: { error: name, params, ...(fields ? { fields } : {}) },
    })
}

/** Calls tell failures in their envelope; whoever fetches bytes (a picture, a download) goes by the status alone. */
function statusFor(name: ErrorName, { method }: FastifyRequest): number {
  const status = statusOf(name)
  return status === 200 && method !== 'POST' ? 404 : status
}

function failureOf(error: unknown, request: FastifyRequest): Failure {
  if (error instanceof Failure) return error
  const known = nameOf(error)
  if (known && known !== 'internal') {
    request.log.info({ err: error, answered: known }, 'request refused')
    return fail(known)
  }
  const params: ErrorParams = { reference: newId() }
  request.log.error({ err: error, ...params }, 'request failed')
  return fail('internal', params)
}

/** Failures of the protocol and of the database that have a name of their own. */
function nameOf(error: unknown): ErrorName | null {
  const state = sqlState(error)
  if (state) return stateNames[state] ?? null
  if (!(error instanceof Error)) return null
  if (isUnreachable(error)) return 'busy'
  if (isDiskFull(error)) return 'disk_full'
  const status = 'statusCode' in error ? Number(error.statusCode) : 500
  if (status >= 400 && status < 500) return statusNames[status] ?? 'bad_request'
  return status === 503 ? 'busy' : null
}

const statusNames: Record<number, ErrorName> = { 404: 'not_found', 413: 'too_large', 429: 'rate_limited' }

/** Text that PostgreSQL cannot hold (NUL), numbers beyond a column; a full disk; then too many connections and restarts. */
const stateNames: Record<string, ErrorName> = {
  '22021': 'bad_request',
  '22P05': 'bad_request',
  '22003': 'bad_request',
  '53100': 'disk_full',
  '53300': 'busy',
  '57P01': 'busy',
  '57P02': 'busy',
  '57P03': 'busy',
}

/** The driver has no codes for these. */
const LOST = /timeout exceeded when trying to connect|Connection terminated|is not queryable/

function isUnreachable(error: Error): boolean {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && ['ECONNREFUSED', 'ECONNRESET', 'ENOENT'].includes(String(cause.code))) {
      // A file that is not there is a defect; a socket that is not there is a database on its way back.
      return 'syscall' in cause && ['connect', 'read', 'write'].includes(String(cause.syscall))
    }
    if (LOST.test(cause.message)) return true
  }
  return false
}
