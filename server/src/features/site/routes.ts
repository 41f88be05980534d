import type { searchCalls } from '@neuroloom/contract/search'
import type { siteCalls } from '@neuroloom/contract/site'
import type { FastifyInstance } from 'fastify'
import { administrator, anyone, signedIn } from '../../http/access.ts'
import type { Rows } from '../../http/row.ts'
import type { Context } from '../../infra/context.ts'
import { addDocs } from './docs.ts'
import * as messages from './messages.ts'
import { addOutbox } from './outbox.ts'
import { addPages } from './pages.ts'
import { all } from './search.ts'
import { confirm, server } from './server.ts'
import * as site from './settings.ts'

export const rows: Rows<
  'setting/public' | 'setting/contract' | keyof typeof siteCalls | keyof typeof searchCalls
> = {
  'setting/public': { access: anyone, run: site.publicSettings },
  'setting/contract': { access: anyone, run: site.contract },
  'search/all': { access: signedIn, run: all },
  'site/message': { access: anyone, run: messages.leave },
  'site/messages': { access: administrator, run: messages.list },
  'site/server': { access: administrator, run: server },
  'site/confirmClock': { access: administrator, run: confirm },
  'site/answer': { access: administrator, run: messages.answer },
}

/** The API's description, the trial's outbox and the browser's files. */
export async function raw(app: FastifyInstance, ctx: Context): Promise<void> {
  await addDocs(app)
  addOutbox(app, ctx)
  await addPages(app, { publicUrl: ctx.config.publicUrl })
}
