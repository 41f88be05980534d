import { anyone } from '../../http/access.ts'
import type { Rows } from '../../http/row.ts'
import * as site from './service.ts'

export const rows: Rows<'setting/public'> = {
  'setting/public': { access: anyone, run: site.publicSettings },
}
