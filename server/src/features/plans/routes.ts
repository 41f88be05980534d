import { signedIn } from '../../http/access.ts'
import type { Rows } from '../../http/row.ts'
import * as plans from './service.ts'

export const rows: Rows<'user/size'> = {
  'user/size': { access: signedIn, run: plans.size },
}
