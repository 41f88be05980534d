/** A server that answers calls in the contract's envelope, in the place of `fetch`. */
import type { Answer, Body, Path } from '@neuroloom/contract/calls'
import { type ErrorName, type ErrorParams, errors } from '@neuroloom/contract/errors'
import { SUCCESS_CODE } from '@neuroloom/contract/success'
import { vi } from 'vitest'

type Handlers = { [P in Path]?: (body: Body<P>) => Answer<P> | Promise<Answer<P>> }
export type Received = { path: string; body: Record<string, unknown>; headers: Headers }

/** Throw it in a handler to answer with that failure. */
export class Refusal extends Error {
  readonly failure: ErrorName
  readonly params: ErrorParams
  /** Of `invalid`: field → message key. */
  readonly fields: Record<string, string>

  constructor(failure: ErrorName, params: ErrorParams = {}, fields: Record<string, string> = {}) {
    super(failure)
    this.failure = failure
    this.params = params
    this.fields = fields
  }
}

/** Answers from now on until the test ends; returns what arrived, in order. */
export function serve(handlers: Handlers): Received[] {
  const received: Received[] = []
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const path = String(url).replace(/^.*\/AI\/api\//, '')
    // Pages send JSON objects, and files as they are.
    const body = (typeof init.body === 'string' ? JSON.parse(init.body) : {}) as Record<string, unknown>
    received.push({ path, body, headers: new Headers(init.headers) })
    return envelope(path, body, handlers)
  })
  return received
}

/** Answers every call with the same text, for what is no envelope at all. */
export function serveText(text: string, contentType: string): void {
  vi.stubGlobal('fetch', async () => new Response(text, { headers: { 'content-type': contentType } }))
}

async function envelope(path: string, body: unknown, handlers: Handlers): Promise<Response> {
  // The path decides which handler and body belong together.
  const handler = handlers[path as Path] as ((body: unknown) => unknown) | undefined
  try {
    if (!handler) throw new Refusal('not_found')
    return json({ code: SUCCESS_CODE, message: '', data: await handler(body) })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { failure, params, fields } = error
    return json({
      code: errors[failure].code,
      message: `server: ${failure}`,
      data: { error: failure, params, fields },
    })
  }
}

function json(value: unknown): Response {
  return new Response(JSON.stringify(value), { headers: { 'content-type': 'application/json' } })
}
