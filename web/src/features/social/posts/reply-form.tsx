import { social as limits } from '@neuroloom/contract/limits'
import type { TextAreaRef } from 'antd/es/input/TextArea'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../../lib/query.ts'
import { useDraft } from './use-draft.ts'
import { WriteForm } from './write-form.tsx'

type ReplyFormProps = {
  postId: string
  /** The reply that is answered; null for the post. */
  parentId: string | null
  /** Who wrote what is answered; empty of a closed account. */
  to: string
  /** Of one that was opened to be written in. */
  onClose?: () => void
}

/** Replies to a post, or to one of its replies. */
export function ReplyForm({ postId, parentId, to, onClose }: ReplyFormProps) {
  const { t } = useTranslation('social-posts')
  const field = useRef<TextAreaRef>(null)
  const draft = useDraft(`reply ${postId} ${parentId ?? ''}`)
  const isOpened = onClose !== undefined
  const reply = useAction('social/reply', {
    refresh: ['social/post', 'social/posts'],
    quiet: true,
    onDone: () => {
      draft.clear()
      onClose?.()
    },
  })
  useEffect(() => {
    if (isOpened) field.current?.focus()
  }, [isOpened])
  return (
    <WriteForm
      label={to === '' ? t('reply.label') : t('reply.labelOf', { name: to })}
      placeholder={t('reply.placeholder')}
      sendLabel={t('reply.send')}
      text={draft.text}
      maxLength={limits.replyLength}
      minRows={2}
      isSending={reply.isPending}
      error={reply.error}
      field={field}
      onText={draft.setText}
      onSend={() => reply.mutate({ postId, parentId, requestId: draft.requestId(), text: draft.text.trim() })}
      {...(onClose ? { onCancel: onClose } : {})}
    />
  )
}
