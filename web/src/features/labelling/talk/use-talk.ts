/** What is said about an image, kept fresh, and where a new word is being pinned. */
import type { LabelReading, LabelSet } from '@neuroloom/contract/labelling/labelling'
import type { LabelComment } from '@neuroloom/contract/labelling/people'
import { useState } from 'react'
import { useLive } from '../../../lib/live.ts'
import { useAction, useCall } from '../../../lib/query.ts'

export type PinnedAt = NonNullable<LabelComment['at']>

const refresh = ['labelling/comments'] as const

export type Talk = ReturnType<typeof useTalk>

export function useTalk({ reading, set }: { reading: LabelReading; set: LabelSet }) {
  const { itemId } = reading
  const [at, setAt] = useState<PinnedAt | null>(null)
  const [isPlacing, setIsPlacing] = useState(false)
  const query = useCall('labelling/comments', { itemId }, { quiet: true })
  useLive(
    { kind: 'reading', id: reading.id },
    { onEvent: ({ type }) => type === 'comments' && void query.refetch() },
  )
  const add = useAction('labelling/comment', { refresh })
  const resolve = useAction('labelling/resolveComment', { refresh })
  const remove = useAction('labelling/removeComment', { refresh })
  const comments = query.data?.comments ?? []
  return {
    ...{ reading, set, itemId, comments, query, at, isPlacing },
    /** The next press on the image says where. */
    place: () => setIsPlacing(!isPlacing),
    pin: (where: PinnedAt | null) => {
      setAt(where)
      setIsPlacing(false)
    },
    say: (text: string, more: { readingId: string | null; replyTo: string | null }) =>
      add.mutateAsync({ itemId, text, ...more, at: more.replyTo === null ? at : null }),
    isSaying: add.isPending,
    resolve: (commentId: string, isResolved: boolean) => resolve.mutate({ commentId, isResolved }),
    remove: (commentId: string) => remove.mutate({ commentId }),
  }
}
