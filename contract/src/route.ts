/** What a call is: its path below `AI/api/`, what goes in and what comes out. Knows nothing of servers or browsers. */
import type * as z from 'zod'
import type { ErrorName } from './errors.ts'

export type Route<Request extends z.ZodType = z.ZodType, Response extends z.ZodType = z.ZodType> = {
  /** One sentence for the API description. */
  summary: string
  request: Request
  response: Response
  /** Business failures that a client should expect, besides those that any call may give. */
  errors: readonly ErrorName[]
  /** The specification's client reads this call's fields at the top level of the answer as well as under `data`. */
  spread?: true
}

/** Keeps the exact schemas in the type, so that both sides are checked against them. */
export const route = <Request extends z.ZodType, Response extends z.ZodType>(
  definition: Route<Request, Response>,
): Route<Request, Response> => definition

/** Every answer of the server. */
export type Envelope<Data> = { code: number; message: string; data: Data }
