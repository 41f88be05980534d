import type { socialRoundCalls } from '@neuroloom/contract/social/rounds'
import { signedIn } from '../../../http/access.ts'
import type { Rows } from '../../../http/row.ts'
import { social } from '../access.ts'
import * as people from './people.ts'
import * as rounds from './rounds.ts'
import * as state from './state.ts'

export const roundRows: Rows<keyof typeof socialRoundCalls> = {
  'round/open': { access: signedIn, run: social(rounds.open) },
  'round/list': { access: signedIn, run: social(rounds.list), keepsSession: false },
  // Asked by pages as long as they are open.
  'round/show': { access: signedIn, run: social(rounds.show), keepsSession: false },
  'round/view': { access: signedIn, run: social(rounds.view), keepsSession: false },
  'round/state': { access: signedIn, run: social(state.setState) },
  'round/mark': { access: signedIn, run: social(state.mark) },
  'round/askLead': { access: signedIn, run: social(people.askLead) },
  'round/giveLead': { access: signedIn, run: social(people.giveLead) },
  'round/leave': { access: signedIn, run: social(people.leave), keepsSession: false },
  'round/end': { access: signedIn, run: social(rounds.end) },
}
