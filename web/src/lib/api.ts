/** The one client of the server's calls: headers, time-out, envelope, messages. Holds no server data. */
import type { Answer, Body, Path } from '@neuroloom/contract/calls'
import type { ErrorName, ErrorParams } from '@neuroloom/contract/errors'
import { client } from '@neuroloom/contract/limits'
import { SUCCESS_CODE } from '@neuroloom/contract/success'
import i18next from 'i18next'
import { apiRoot } from './address.ts'
import { currentLanguage } from './i18n.ts'
import * as session from './session.ts'
import * as secondFactor from './session-factor.ts'
import { toast } from './toast.ts'
import { upgradeAction } from './upgrade.ts'

export type CallOptions = {
  /** Shows no toast on failure; the caller shows it. A lost session is always announced. */
  quiet?: boolean
  signal?: AbortSignal
}

/** A call that the server refused, by its name in contract/errors. */
export class CallError extends Error {
  override readonly name: ErrorName
  readonly code: number
  readonly params: ErrorParams
  /** Of `invalid`: field → message key. */
  readonly fields: Record<string, string>

  constructor(failure: Failure) {
    super(failure.message)
    this.name = failure.name
    this.code = failure.code
    this.params = failure.params
    this.fields = failure.fields
  }
}

/** The server could not be reached, or something else answered in its place. */
export class NetworkError extends Error {
  override readonly name = 'network'
}

export async function call<P extends Path>(
  path: P,
  body: Body<P>,
  { quiet = false, signal }: CallOptions = {},
): Promise<Answer<P>> {
  const token = session.token()
  const answer = await send(path, { bytes: JSON.stringify(body), type: 'application/json' }, signal)
  // The contract's schema of this path, which the server checks on its side.
  if (isSuccess(answer)) return (answer.data ?? answer) as Answer<P>
  throw await refuse(answer, { token, quiet: quiet || silent.has(path) })
}

/** One sentence for people about any failure, in their language. */
export function messageOf(error: unknown): string {
  if (error instanceof CallError || error instanceof NetworkError) return error.message
  return i18next.t('common:failure.unexpected')
}

/** Says over the page why a quiet call failed, as a loud one does by itself. */
export function tellFailure(error: unknown): void {
  toast.error(messageOf(error), upgradeAction(error))
}

/** Whether the page was left; it may come back from the browser's cache. */
let isLeft = false
if (typeof window !== 'undefined') {
  addEventListener('pagehide', () => {
    isLeft = true
  })
  addEventListener('pageshow', () => {
    isLeft = false
  })
}

/** Calls that carry no userId header (specification, section 7). */
const anonymous: ReadonlySet<string> = new Set([
  'user/login',
  'user/secondFactor',
  'setting/contract',
  'user/register',
  'user/smscode',
  'user/forgetpwd',
])
/** Calls whose refusal is never announced (specification, section 7). */
const silent: ReadonlySet<string> = new Set(['project/file/upload', 'chunk/upload', 'toolbox/status'])

type Failure = {
  name: ErrorName
  code: number
  message: string
  params: ErrorParams
  fields: Record<string, string>
}
type Json = { code?: number; state?: number; message?: string; data?: unknown }

/** Also for uploads, which do not pass through `call`. */
export function headersFor(path: string): Record<string, string> {
  const headers: Record<string, string> = { 'Accept-Language': currentLanguage() }
  const token = session.token()
  const user = session.user()
  if (token !== null) headers.token = token
  if (user !== null && !anonymous.has(path)) headers.userId = user.id
  return headers
}

/** The bytes of one file as they are, for the few addresses that take no JSON. Failures are the caller's to tell. */
export async function sendBytes<Data>(
  path: string,
  { bytes, type }: { bytes: Blob; type: string },
): Promise<Data> {
  const token = session.token()
  const answer = await send(path, { bytes, type })
  // The envelope of an address whose answer the caller knows.
  if (isSuccess(answer)) return answer.data as Data
  throw await refuse(answer, { token, quiet: true })
}

async function send(
  path: string,
  content: { bytes: BodyInit; type: string },
  signal?: AbortSignal,
): Promise<Json> {
  const limit = AbortSignal.timeout(client.timeoutMs)
  try {
    const response = await fetch(apiRoot + path, {
      method: 'POST',
      headers: { 'Content-Type': content.type, ...headersFor(path) },
      body: content.bytes,
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
    })
    // A proxy's HTML page must never count as success.
    const type = response.headers.get('content-type') ?? ''
    if (!type.includes('json')) throw new TypeError(`${path} answered ${response.status} with "${type}"`)
    // The envelope of contract/route; every field is checked before use.
    return (await response.json()) as Json
  } catch (error) {
    if (signal?.aborted) throw error
    // Firefox rejects what is under way when the page is left: nothing went wrong.
    if (!isLeft) console.error(error)
    await i18next.loadNamespaces('common')
    throw new NetworkError(i18next.t('common:failure.network'), { cause: error })
  }
}

function isSuccess(answer: Json): boolean {
  const { code, state } = answer
  return code === SUCCESS_CODE || state === SUCCESS_CODE || (code === undefined && state === undefined)
}

/** `token`: of the session in which the call was made. */
async function refuse(
  answer: Json,
  { token, quiet }: { token: string | null; quiet: boolean },
): Promise<CallError> {
  const failure = await readFailure(answer)
  const { name, message } = failure
  const error = new CallError(failure)
  if (name === 'session_replaced' || name === 'not_signed_in') {
    // One of several calls that were under way ends it; a late one would end what began meanwhile.
    if (token !== session.token()) return error
    if (token !== null) session.end()
    toast.warning(message)
  } else if (!quiet && name !== 'second_factor_needed') {
    tellFailure(error)
  }
  // The guard leads to where it is changed.
  if (name === 'password_first') session.keepMustChange(true)
  if (name === 'second_factor_first' || name === 'second_factor_again') secondFactor.ask()
  return error
}

async function readFailure(answer: Json): Promise<Failure> {
  const code = answer.code ?? answer.state ?? 0
  const name = await nameOf(code)
  const data = isRecord(answer.data) ? answer.data : {}
  // Params are texts and numbers by contract/errors; i18next prints anything else as text.
  const params = (isRecord(data.params) ? data.params : {}) as ErrorParams
  const fields = (isRecord(data.fields) ? data.fields : {}) as Record<string, string>
  await i18next.loadNamespaces('errors')
  const known = name !== null && i18next.exists(`errors:${name}`)
  const message = known ? i18next.t(`errors:${name}`, named(params)) : (answer.message ?? '')
  return { name: name ?? 'internal', code, params, fields, message }
}

/** A membership level stands in a sentence by its name. */
function named(params: ErrorParams): ErrorParams {
  return params.level === undefined
    ? params
    : { ...params, level: i18next.t(`errors:level_${params.level}`, { defaultValue: String(params.level) }) }
}

/** Null for a code of another version. The table comes with the first refusal: most visits see none. */
async function nameOf(code: number): Promise<ErrorName | null> {
  const { errors } = await import('@neuroloom/contract/errors')
  // Object.keys loses the key type that the `errors` table has.
  const names = Object.keys(errors) as ErrorName[]
  return names.find((name) => errors[name].code === code) ?? null
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
