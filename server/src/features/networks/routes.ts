import { signedIn } from '../../http/access.ts'
import type { Rows } from '../../http/row.ts'
import * as networks from './service.ts'

export const rows: Rows<'networks/list' | 'networks/detail'> = {
  'networks/list': { access: signedIn, run: networks.list },
  'networks/detail': { access: signedIn, run: networks.detail },
}
