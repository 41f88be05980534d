import type { Caller } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'

/** On a hospital's own server nothing is sold: its calls are not there (design 4.4). */
export function requireSales({ config }: Context): void {
  if (config.deployment === 'private') throw fail('not_found')
}

/** Only where things are sold. */
export const sold =
  <Body, Result>(run: (ctx: Context, body: Body, caller: Caller) => Promise<Result>) =>
  (ctx: Context, body: Body, caller: Caller): Promise<Result> => {
    requireSales(ctx)
    return run(ctx, body, caller)
  }
