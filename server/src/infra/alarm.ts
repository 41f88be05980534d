/** What administrators must learn of: told to each in the message box by the feature that knows who they are. */
import type { Notice } from '@neuroloom/contract/accounts'
import type { Context } from './context.ts'
import type { Tx } from './db.ts'

type News = Pick<Notice, 'kind' | 'params'> & {
  /** Told again after this time, read or not; without it as soon as the last one was read. */
  againMs?: number
}
type Tell = (ctx: Context, tx: Tx, news: News) => Promise<void>
let tell: Tell = async () => undefined

export function registerAdministrators(how: Tell): void {
  tell = how
}

export const alarm: Tell = (ctx, tx, news) => tell(ctx, tx, news)
