/** What is unread in the social centre, under the names that the specification gives to its parts. */
import { social as limits } from '@neuroloom/contract/limits'
import { useCall } from '../../lib/query.ts'

export function useSocialStore({ enabled = true }: { enabled?: boolean } = {}) {
  // Of busy groups not every message is told to those who do not look at them.
  const { data } = useCall(
    'social/unread',
    {},
    { quiet: true, enabled, refetchInterval: limits.unreadPollMs },
  )
  return {
    chartData: { unreadCount: data?.chats ?? 0 },
    memberData: { unreadCount: data?.applications ?? 0 },
    messageData: { unreadCount: data?.notices ?? 0 },
    unreadCount: data?.all ?? 0,
  }
}
