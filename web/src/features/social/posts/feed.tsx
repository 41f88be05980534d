import type { Body } from '@neuroloom/contract/calls'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { usePages } from '../../../lib/query.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Loading } from '../../../ui/loading.tsx'
import { MoreButton } from '../../../ui/more-button.tsx'
import { PostCard } from './post-card.tsx'
import styles from './posts.module.css'

export type FeedOf = Body<'social/posts'>['feed']

/** Posts of a feed, the latest first, a page at a time; `empty` is shown where there are none. */
export function Feed({ of, empty }: { of: FeedOf; empty: ReactNode }) {
  const { t } = useTranslation('social-posts')
  const query = usePages('social/posts', { feed: of })
  const posts = query.data?.pages.flatMap((page) => page.posts)
  if (!posts)
    return query.error ? (
      <ErrorState error={query.error} retry={() => void query.refetch()} />
    ) : (
      <Loading shape="cards" count={2} />
    )
  if (posts.length === 0) return empty
  return (
    <>
      <ul className={styles.feed} aria-label={t('feed.label')} aria-busy={query.isPlaceholderData}>
        {posts.map((post) => (
          <li key={post.id}>
            <PostCard post={post} />
          </li>
        ))}
      </ul>
      <MoreButton query={query} />
    </>
  )
}
