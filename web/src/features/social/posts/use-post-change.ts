import type { Answer } from '@neuroloom/contract/calls'
import type { Post } from '@neuroloom/contract/social/posts'
import { type InfiniteData, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'

/** Changes posts wherever they are shown: for one like a long feed would have to load again from its beginning. */
export function usePostChange(): (isMeant: (post: Post) => boolean, changes: Partial<Post>) => void {
  const queries = useQueryClient()
  return useCallback(
    (isMeant, changes) => {
      const change = (post: Post): Post => (isMeant(post) ? { ...post, ...changes } : post)
      queries.setQueriesData<InfiniteData<Answer<'social/posts'>>>(
        { queryKey: ['social/posts'] },
        (feed) =>
          feed && { ...feed, pages: feed.pages.map((page) => ({ ...page, posts: page.posts.map(change) })) },
      )
      queries.setQueriesData<Answer<'social/post'>>(
        { queryKey: ['social/post'] },
        (shown) => shown && { ...shown, post: change(shown.post) },
      )
    },
    [queries],
  )
}
