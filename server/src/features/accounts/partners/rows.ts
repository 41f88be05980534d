import type { partnerCalls } from '@neuroloom/contract/accounts/partners'
import { administrator, anyone } from '../../../http/access.ts'
import type { Rows } from '../../../http/row.ts'
import { ask } from './ask.ts'
import * as partners from './partners.ts'

export const partnerRows: Rows<keyof typeof partnerCalls> = {
  'partners/list': { access: administrator, run: partners.list },
  'partners/create': { access: administrator, run: partners.create },
  'partners/secret': { access: administrator, run: partners.renewSecret },
  'partners/revoke': { access: administrator, run: partners.revoke },
  'partners/members': { access: administrator, run: partners.members },
  'partners/addMember': { access: administrator, run: partners.addMember },
  'partners/removeMember': { access: administrator, run: partners.removeMember },
  // By the partner's own secret.
  'partner/key': { access: anyone, run: ask },
}
