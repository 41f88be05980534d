/** What administrators must learn of: told to each in the message box by the feature that knows who they are. */
import type { Notice } from '@neuroloom/contract/accounts/accounts'
import type { Context } from './context.ts'
import type { Tx } from './db.ts'

type News = Pick<Notice, 'kind' | 'params'> & {
  /** Told again after this time, read or not; without it as soon as the last one was read. */
  againMs?: number
}
export type TellAdministrators = (ctx: Context, tx: Tx, news: News) => Promise<void>

export const alarm: TellAdministrators = async (ctx, tx, news) => {
  for (const tell of ctx.told('administrators')) await tell(ctx, tx, news)
}
