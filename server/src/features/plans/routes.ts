import { anyone, signedIn } from '../../http/access.ts'
import type { Rows } from '../../http/row.ts'
import { shared } from './access.ts'
import * as plans from './service.ts'
import { used } from './used.ts'

export const rows: Rows<'user/size' | 'plans/limits' | 'plans/used' | 'plans/shared'> = {
  'user/size': { access: signedIn, run: plans.size },
  'plans/limits': { access: anyone, run: plans.limits },
  'plans/used': { access: signedIn, run: used },
  'plans/shared': { access: signedIn, run: shared },
}
