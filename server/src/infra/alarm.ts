/** What administrators must learn of: told to each in the message box by the feature that knows who they are. */
import type { Notice, OfficeNews } from '@neuroloom/contract/accounts/accounts'
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

/** Tells of what waits in the back-office once the transaction commits, by a job: no deed waits for the rows of administrators. */
export const alarmLater = (ctx: Context, tx: Tx, kind: OfficeNews): Promise<void> =>
  ctx.jobs.send(tx, 'administrators.tell', { kind })
