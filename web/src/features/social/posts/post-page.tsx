import type { Post } from '@neuroloom/contract/social/posts'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { useCall } from '../../../lib/query.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Loading } from '../../../ui/loading.tsx'
import { allPosts } from './addresses.ts'
import { PostCard } from './post-card.tsx'
import styles from './posts.module.css'
import { Replies } from './replies.tsx'
import { ReplyForm } from './reply-form.tsx'

/** One post at its own address, with its replies. */
export function PostPage({ postId }: { postId: string }) {
  const { t } = useTranslation('social-posts')
  const navigate = useNavigate()
  const { data, error, refetch } = useCall('social/post', { postId }, { quiet: true })
  const back = <Link to={allPosts}>{t('feed.back')}</Link>
  if (error?.name === 'post_missing')
    return <EmptyState title={t('missing.title')} text={t('missing.text')} action={back} />
  return (
    <div className={styles.page}>
      <div>{back}</div>
      {!data && error && <ErrorState error={error} retry={() => void refetch()} />}
      {!data && !error && <Loading shape="cards" count={1} />}
      {data && (
        <>
          <PostCard post={data.post} onDeleted={() => void navigate(allPosts)} />
          <Answers post={data.post} replies={data.replies} />
        </>
      )}
    </div>
  )
}

function Answers({ post, replies }: { post: Post; replies: Parameters<typeof Replies>[0]['replies'] }) {
  const { t } = useTranslation('social-posts')
  return (
    <section className={styles.panel} aria-label={t('reply.title')}>
      <h2 className={styles.topicsTitle}>{t('reply.title')}</h2>
      {replies.length === 0 && <p className={styles.soft}>{t('reply.none')}</p>}
      <Replies post={post} replies={replies} />
      <ReplyForm postId={post.id} parentId={null} to={post.author.nickName} />
    </section>
  )
}
