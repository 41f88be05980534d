import type { groupCalls } from '@neuroloom/contract/groups'
import type { sharingCalls } from '@neuroloom/contract/sharing'
import { anyone, signedIn } from '../../../http/access.ts'
import type { Rows } from '../../../http/row.ts'
import { giveToGroup, groupData, takeFromGroup } from '../groups/data.ts'
import { createGroup, dissolveGroup, editGroup, listGroups } from '../groups/groups.ts'
import { exitGroup, findGroup, joinGroup, listMembers, removeMember } from '../groups/members.ts'
import { listLinked, openLinked } from '../share-links/content.ts'
import { createLink, revokeLink } from '../share-links/share-links.ts'
import { visitLink } from '../share-links/visit.ts'
import { listShares, sharedWithMe } from './lists.ts'
import { changeShare, leaveShare, share, unshare } from './sharing.ts'

export const sharingRows: Rows<keyof typeof sharingCalls | keyof typeof groupCalls> = {
  'files/share': { access: signedIn, run: share },
  'files/changeShare': { access: signedIn, run: changeShare },
  'files/unshare': { access: signedIn, run: unshare },
  'files/leaveShare': { access: signedIn, run: leaveShare },
  'files/shares': { access: signedIn, run: listShares },
  'files/sharedWithMe': { access: signedIn, run: sharedWithMe },
  'files/createLink': { access: signedIn, run: createLink },
  'files/revokeLink': { access: signedIn, run: revokeLink },
  // Whoever has the link: its secret is looked at, or the pass that it was exchanged for.
  'files/visitLink': { access: anyone, run: visitLink },
  'files/listLinked': { access: anyone, run: listLinked },
  'files/openLinked': { access: anyone, run: openLinked },
  'files/groups': { access: signedIn, run: listGroups },
  'files/createGroup': { access: signedIn, run: createGroup },
  'files/editGroup': { access: signedIn, run: editGroup },
  'files/findGroup': { access: signedIn, run: findGroup },
  'files/joinGroup': { access: signedIn, run: joinGroup },
  'files/groupMembers': { access: signedIn, run: listMembers },
  'files/removeMember': { access: signedIn, run: removeMember },
  'files/exitGroup': { access: signedIn, run: exitGroup },
  'files/dissolveGroup': { access: signedIn, run: dissolveGroup },
  'files/groupData': { access: signedIn, run: groupData },
  'files/giveToGroup': { access: signedIn, run: giveToGroup },
  'files/takeFromGroup': { access: signedIn, run: takeFromGroup },
}
