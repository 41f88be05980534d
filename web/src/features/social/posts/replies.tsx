import type { Post, Reply } from '@neuroloom/contract/social/posts'
import { Button } from 'antd'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDate } from '../../../lib/format.ts'
import { useAction } from '../../../lib/query.ts'
import { ConfirmRemove } from '../../../ui/confirm-remove.tsx'
import { Avatar } from '../../../ui/pictures/avatar.tsx'
import { LinkedText } from '../linked-text.tsx'
import { PersonName } from '../people/member-card.tsx'
import { ReportDialog } from '../report-dialog.tsx'
import styles from './posts.module.css'
import { ReplyForm } from './reply-form.tsx'
import { buildThreads, type ThreadedReply } from './threads.ts'

/** Replies as threads. */
export function Replies({ post, replies }: { post: Post; replies: readonly Reply[] }) {
  const { t } = useTranslation('social-posts')
  const threads = useMemo(() => buildThreads(replies), [replies])
  if (threads.length === 0) return null
  return (
    <ol className={styles.replies} aria-label={t('reply.title')}>
      {threads.map((threaded) => (
        <ReplyRow key={threaded.reply.id} post={post} threaded={threaded} />
      ))}
    </ol>
  )
}

function ReplyRow({ post, threaded: { reply, depth, to } }: { post: Post; threaded: ThreadedReply }) {
  const { t } = useTranslation(['social-posts', 'common'])
  const [asked, setAsked] = useState<'reply' | 'delete' | 'report' | null>(null)
  const close = () => setAsked(null)
  const remove = useAction('social/deleteReply', { refresh: ['social/post', 'social/posts'] })
  const { id, author, at } = reply
  if (reply.isDeleted)
    return (
      <li className={styles.reply} data-depth={depth}>
        <p className={styles.soft}>{t('reply.deleted')}</p>
      </li>
    )
  return (
    <li className={styles.reply} data-depth={depth}>
      <div className={styles.head}>
        <Avatar name={author.nickName} photo={author.photo} size={28} />
        <div className={styles.who}>
          <span className={styles.replyHead}>
            <PersonName person={author} />
            {to && to.nickName !== '' && (
              <span className={styles.soft}>{t('reply.to', { name: to.nickName })}</span>
            )}
            <time className={styles.soft} dateTime={at} title={formatDate(at)}>
              {formatDate(at, 'relative')}
            </time>
          </span>
        </div>
      </div>
      <p>
        <LinkedText text={reply.text} />
      </p>
      {asked === 'reply' ? (
        <ReplyForm postId={post.id} parentId={id} to={author.nickName} onClose={close} />
      ) : (
        <div className={styles.replyActions}>
          <Button
            type="link"
            size="small"
            aria-label={t('reply.labelOf', { name: author.nickName })}
            onClick={() => setAsked('reply')}
          >
            {t('reply.do')}
          </Button>
          {(reply.isOwn || post.isOwn) && (
            <Button type="link" size="small" danger onClick={() => setAsked('delete')}>
              {t('common:remove')}
            </Button>
          )}
          {!reply.isOwn && (
            <Button type="link" size="small" onClick={() => setAsked('report')}>
              {t('menu.report')}
            </Button>
          )}
        </div>
      )}
      <ConfirmRemove
        open={asked === 'delete'}
        title={t('reply.deleteTitle')}
        text={t('reply.deleteText')}
        onConfirm={() => remove.mutateAsync({ replyId: id })}
        onClose={close}
      />
      {asked === 'report' && <ReportDialog kind="reply" targetId={id} chatId={null} onClose={close} />}
    </li>
  )
}
