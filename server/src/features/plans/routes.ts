import type { planCalls } from '@neuroloom/contract/plans'
import { administrator, anyone, signedIn } from '../../http/access.ts'
import type { Rows } from '../../http/row.ts'
import { shared } from './access.ts'
import * as office from './office.ts'
import * as plans from './service.ts'
import { used } from './used.ts'

export const rows: Rows<'user/size' | keyof typeof planCalls> = {
  'user/size': { access: signedIn, run: plans.size },
  'plans/limits': { access: anyone, run: plans.limits },
  'plans/used': { access: signedIn, run: used },
  'plans/office': { access: administrator, run: office.office },
  'plans/change': { access: administrator, run: office.change },
  'plans/shared': { access: signedIn, run: shared },
}
