import { HeartFilled, HeartOutlined, MessageOutlined, MoreOutlined } from '@ant-design/icons'
import type { Post } from '@neuroloom/contract/social/posts'
import { Button, Dropdown } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { copyText } from '../../../lib/copy-text.ts'
import { formatDate, formatNumber } from '../../../lib/format.ts'
import { useAction } from '../../../lib/query.ts'
import { toast } from '../../../lib/toast.ts'
import { ConfirmRemove } from '../../../ui/confirm-remove.tsx'
import { Avatar } from '../../../ui/pictures/avatar.tsx'
import { Attachments } from '../attachments/attachments.tsx'
import { PersonName } from '../people/member-card.tsx'
import { ReportDialog } from '../report-dialog.tsx'
import { postAddress } from './addresses.ts'
import { EditDialog } from './edit-dialog.tsx'
import { HistoryDialog } from './history-dialog.tsx'
import { PostText } from './post-text.tsx'
import styles from './posts.module.css'
import { usePostChange } from './use-post-change.ts'

type PostCardProps = {
  post: Post
  /** Where it was deleted. */
  onDeleted?: () => void
}

type Asked = 'edit' | 'history' | 'delete' | 'report'

/** One post: who, when, what, and what one can do with it. */
export function PostCard({ post, onDeleted }: PostCardProps) {
  const { t } = useTranslation(['social-posts', 'common'])
  const [asked, setAsked] = useState<Asked | null>(null)
  const close = () => setAsked(null)
  const { id, author, at, editedAt, replyCount } = post
  const remove = useAction('social/deletePost', {
    refresh: ['social/posts', 'social/topics'],
    onDone: () => {
      toast.success(t('delete.done'))
      onDeleted?.()
    },
  })
  return (
    <article className={styles.post} aria-label={t('postOf', { name: author.nickName })}>
      <header className={styles.head}>
        <Avatar name={author.nickName} photo={author.photo} size={40} />
        <div className={styles.who}>
          <PersonName person={author} />
          <span className={styles.soft}>
            <Link to={postAddress(id)} className={styles.when}>
              <time dateTime={at} title={formatDate(at)}>
                {formatDate(at, 'relative')}
              </time>
            </Link>
            {editedAt !== null && (
              <>
                {' · '}
                <button type="button" className={styles.plain} onClick={() => setAsked('history')}>
                  {t('edited', { when: formatDate(editedAt, 'relative') })}
                </button>
              </>
            )}
          </span>
        </div>
        <FollowButton post={post} />
        <PostMenu post={post} onAsk={setAsked} />
      </header>
      {post.text !== '' && <PostText text={post.text} topics={post.topics} />}
      <Attachments attachments={post.attachments} name={author.nickName} />
      <footer className={styles.foot}>
        <LikeButton post={post} />
        <Link to={postAddress(id)} className={styles.count}>
          <MessageOutlined aria-hidden />{' '}
          {t('replies', { count: replyCount, shown: formatNumber(replyCount) })}
        </Link>
      </footer>
      {asked === 'edit' && <EditDialog post={post} onClose={close} />}
      {asked === 'history' && <HistoryDialog post={post} onClose={close} />}
      {asked === 'report' && <ReportDialog kind="post" targetId={id} chatId={null} onClose={close} />}
      <ConfirmRemove
        open={asked === 'delete'}
        title={t('delete.title')}
        text={t('delete.text', { count: replyCount })}
        onConfirm={() => remove.mutateAsync({ postId: id })}
        onClose={close}
      />
    </article>
  )
}

function FollowButton({ post: { author, isOwn, isFollowed } }: { post: Post }) {
  const { t } = useTranslation('social-posts')
  const change = usePostChange()
  const follow = useAction('social/follow', {
    refresh: ['social/card', 'social/follows'],
    onDone: (relation) => change((post) => post.author.id === author.id, { isFollowed: relation.isFollowed }),
  })
  if (isOwn || isFollowed || author.nickName === '') return null
  return (
    <Button
      size="small"
      loading={follow.isPending}
      aria-label={t('followOf', { name: author.nickName })}
      onClick={() => follow.mutate({ memberId: author.id })}
    >
      {t('follow')}
    </Button>
  )
}

function LikeButton({ post: { id, isLiked, likeCount } }: { post: Post }) {
  const { t } = useTranslation('social-posts')
  const change = usePostChange()
  const like = useAction('social/like', {
    refresh: [],
    onDone: (answer, body) =>
      change((post) => post.id === id, { isLiked: body.isLiked, likeCount: answer.likeCount }),
  })
  const Icon = isLiked ? HeartFilled : HeartOutlined
  const likes = t('likes', { count: likeCount, shown: formatNumber(likeCount) })
  return (
    <button
      type="button"
      className={styles.count}
      aria-pressed={isLiked}
      aria-label={t('like', { likes })}
      disabled={like.isPending}
      onClick={() => like.mutate({ postId: id, isLiked: !isLiked })}
    >
      <Icon aria-hidden /> {likes}
    </button>
  )
}

function PostMenu({ post: { id, isOwn }, onAsk }: { post: Post; onAsk: (asked: Asked) => void }) {
  const { t } = useTranslation('social-posts')
  const keys = isOwn ? (['copy', 'edit', 'delete'] as const) : (['copy', 'report'] as const)
  const copy = async () => {
    const isCopied = await copyText(new URL(postAddress(id), location.href).href)
    if (isCopied) toast.success(t('menu.copied'))
    else toast.warning(t('menu.notCopied'))
  }
  return (
    <Dropdown
      trigger={['click']}
      placement="bottomRight"
      menu={{
        items: keys.map((key) => ({
          key,
          label: t(`menu.${key}`),
          danger: key === 'delete' || key === 'report',
        })),
        onClick: ({ key }) => {
          const chosen = keys.find((one) => one === key)
          if (chosen === 'copy') void copy()
          else if (chosen !== undefined) onAsk(chosen)
        },
      }}
    >
      <Button type="text" icon={<MoreOutlined aria-hidden />} aria-label={t('menu.label')} />
    </Dropdown>
  )
}
