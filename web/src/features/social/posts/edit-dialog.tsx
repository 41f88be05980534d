import { social as limits } from '@neuroloom/contract/limits'
import type { Post } from '@neuroloom/contract/social/posts'
import { Input } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { messageOf } from '../../../lib/api.ts'
import { useAction } from '../../../lib/query.ts'
import { SaveDialog } from '../../../ui/save-dialog.tsx'
import styles from './posts.module.css'
import { usePostChange } from './use-post-change.ts'

/** Changes an own post; what it said before stays in its history. */
export function EditDialog({ post, onClose }: { post: Post; onClose: () => void }) {
  const { t } = useTranslation('social-posts')
  const [text, setText] = useState(post.text)
  const change = usePostChange()
  const edit = useAction('social/editPost', {
    refresh: ['social/postHistory', 'social/topics'],
    quiet: true,
    onDone: (changed) => change(({ id }) => id === post.id, changed),
  })
  return (
    <SaveDialog
      title={t('edit.title')}
      width={640}
      isDisabled={(text.trim() === '' && post.attachments.length === 0) || text.trim() === post.text}
      onSave={() => edit.mutateAsync({ postId: post.id, text: text.trim() })}
      onClose={onClose}
    >
      <div className={styles.form}>
        <Input.TextArea
          aria-label={t('write.label')}
          maxLength={limits.postLength}
          autoSize={{ minRows: 4, maxRows: 16 }}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <p className={styles.soft}>{t('edit.text')}</p>
        {edit.error && (
          <p role="alert" className={styles.problem}>
            {messageOf(edit.error)}
          </p>
        )}
      </div>
    </SaveDialog>
  )
}
