import type { FastifyInstance } from 'fastify'
import { signedIn } from '../../http/access.ts'
import type { Rows } from '../../http/row.ts'
import type { Context } from '../../infra/context.ts'
import { addReportRoute, download } from './download.ts'
import { show } from './show.ts'

export const rows: Rows<'reports/show' | 'reports/download'> = {
  'reports/show': { access: signedIn, run: show },
  'reports/download': { access: signedIn, run: download },
}

export const raw = (app: FastifyInstance, ctx: Context): void => addReportRoute(app, ctx)
