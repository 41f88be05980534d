import type { Path } from '@neuroloom/contract/calls'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../../lib/query.ts'
import { toast } from '../../../lib/toast.ts'

/** Reads that tell how one stands to a member. */
const refresh = [
  'social/card',
  'social/friends',
  'social/applications',
  'social/follows',
  'social/fans',
  'social/blocked',
  'social/posts',
  'social/post',
  'social/chats',
  'social/unread',
] as const satisfies readonly Path[]

/** What one can change between oneself and a member. */
export function useRelation({ id: memberId, nickName: name }: { id: string; nickName: string }) {
  const { t } = useTranslation('social-people')
  const apply = useAction('social/apply', {
    refresh,
    quiet: true,
    onDone: ({ isFriend }) => toast.success(t(isFriend ? 'done.friends' : 'done.sent', { name })),
  })
  const follow = useAction('social/follow', { refresh })
  const unfollow = useAction('social/unfollow', { refresh })
  const unfriend = useAction('social/unfriend', {
    refresh,
    onDone: () => toast.success(t('done.unfriended', { name })),
  })
  const block = useAction('social/block', {
    refresh,
    onDone: () => toast.success(t('done.blocked', { name })),
  })
  const unblock = useAction('social/unblock', {
    refresh,
    onDone: () => toast.success(t('done.unblocked', { name })),
  })
  return {
    apply,
    isFollowPending: follow.isPending || unfollow.isPending,
    setFollowed: (isFollowed: boolean) => (isFollowed ? follow : unfollow).mutate({ memberId }),
    unfriend: () => unfriend.mutateAsync({ memberId }),
    block: () => block.mutateAsync({ memberId }),
    unblock: () => unblock.mutate({ memberId }),
  }
}

/** Accepting or refusing a friend request, which changes the same. */
export function useAnswer() {
  return useAction('social/answerApplication', { refresh })
}
