import type { FastifyInstance } from 'fastify'
import { anyone } from '../../http/access.ts'
import type { Rows } from '../../http/row.ts'
import { addDocs } from './docs.ts'
import { addPages } from './pages.ts'
import * as site from './service.ts'

export const rows: Rows<'setting/public'> = {
  'setting/public': { access: anyone, run: site.publicSettings },
}

/** The API's description and the browser's files. */
export async function raw(app: FastifyInstance): Promise<void> {
  await addDocs(app)
  await addPages(app)
}
