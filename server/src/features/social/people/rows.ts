import type { socialPeopleCalls } from '@neuroloom/contract/social/people'
import { signedIn } from '../../../http/access.ts'
import type { Rows } from '../../../http/row.ts'
import { social } from '../access.ts'
import * as applications from './applications.ts'
import * as blocks from './blocks.ts'
import * as cards from './cards.ts'
import { findPeople } from './find.ts'
import * as follows from './follows.ts'
import * as friends from './friends.ts'

export const peopleRows: Rows<keyof typeof socialPeopleCalls> = {
  'social/findPeople': { access: signedIn, run: social(findPeople) },
  'social/card': { access: signedIn, run: social(cards.card) },
  'social/ownCard': { access: signedIn, run: social(cards.ownCard) },
  'social/editCard': { access: signedIn, run: social(cards.editCard) },
  'social/apply': { access: signedIn, run: social(applications.apply) },
  'social/applications': { access: signedIn, run: social(applications.list), keepsSession: false },
  'social/answerApplication': { access: signedIn, run: social(applications.answer) },
  'social/friends': { access: signedIn, run: social(friends.list), keepsSession: false },
  'social/unfriend': { access: signedIn, run: social(friends.unfriend) },
  'social/follow': { access: signedIn, run: social(follows.follow) },
  'social/unfollow': { access: signedIn, run: social(follows.unfollow) },
  'social/follows': { access: signedIn, run: social(follows.follows) },
  'social/fans': { access: signedIn, run: social(follows.fans) },
  'social/block': { access: signedIn, run: social(blocks.block) },
  'social/unblock': { access: signedIn, run: social(blocks.unblock) },
  'social/blocked': { access: signedIn, run: social(blocks.list) },
}
