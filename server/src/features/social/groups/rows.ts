import type { socialGroupCalls } from '@neuroloom/contract/social/groups'
import { signedIn } from '../../../http/access.ts'
import type { Rows } from '../../../http/row.ts'
import { social } from '../access.ts'
import * as groups from './groups.ts'
import * as members from './members.ts'

export const groupRows: Rows<keyof typeof socialGroupCalls> = {
  'social/groups': { access: signedIn, run: social(groups.listGroups) },
  'social/createGroup': { access: signedIn, run: social(groups.createGroup) },
  'social/editGroup': { access: signedIn, run: social(groups.editGroup) },
  'social/findGroup': { access: signedIn, run: social(members.findGroup) },
  'social/joinGroup': { access: signedIn, run: social(members.joinGroup) },
  'social/inviteToGroup': { access: signedIn, run: social(members.inviteToGroup) },
  'social/groupMembers': { access: signedIn, run: social(members.listMembers) },
  'social/removeFromGroup': { access: signedIn, run: social(members.removeFromGroup) },
  'social/transferGroup': { access: signedIn, run: social(members.transferGroup) },
  'social/exitGroup': { access: signedIn, run: social(members.exitGroup) },
  'social/dissolveGroup': { access: signedIn, run: social(groups.dissolveGroup) },
}
