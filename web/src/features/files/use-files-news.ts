import { useLive } from '../../lib/live.ts'
import { useUser } from '../../lib/session.ts'

/** Lists follow what others do, access given and withdrawn, groups joined and left, and how far conversions are. */
export function useFilesNews(): void {
  const user = useUser()
  useLive(user && { kind: 'user', id: user.id }, {
    refresh: [
      'files/list',
      'files/sharedWithMe',
      'files/shares',
      'files/groups',
      'files/groupData',
      'files/groupMembers',
      'files/public',
      'files/conversions',
      'files/textScans',
    ],
  })
}
