import { signedIn } from '../../http/access.ts'
import type { Rows } from '../../http/row.ts'
import { shared } from './access.ts'
import * as plans from './service.ts'

export const rows: Rows<'user/size' | 'plans/shared'> = {
  'user/size': { access: signedIn, run: plans.size },
  'plans/shared': { access: signedIn, run: shared },
}
