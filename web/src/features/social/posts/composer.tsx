import { social as limits } from '@neuroloom/contract/limits'
import type { TextAreaRef } from 'antd/es/input/TextArea'
import type { RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../../lib/query.ts'
import { toast } from '../../../lib/toast.ts'
import { referenceOf } from '../attachments/references.ts'
import { usePicked } from '../attachments/use-picked.ts'
import { useDraft } from './use-draft.ts'
import { WriteForm } from './write-form.tsx'

/** Writes a post. What was typed is kept until it was sent. */
export function Composer({ field }: { field: RefObject<TextAreaRef | null> }) {
  const { t } = useTranslation('social-posts')
  const draft = useDraft('post')
  const picked = usePicked()
  const create = useAction('social/createPost', {
    refresh: ['social/posts', 'social/topics'],
    quiet: true,
    onDone: () => {
      draft.clear()
      picked.clear()
      toast.success(t('write.done'))
    },
  })
  return (
    <WriteForm
      label={t('write.label')}
      placeholder={t('write.placeholder')}
      sendLabel={t('write.send')}
      text={draft.text}
      maxLength={limits.postLength}
      minRows={2}
      isSending={create.isPending}
      error={create.error}
      field={field}
      onText={draft.setText}
      picked={picked}
      onSend={() => {
        const attachments = picked.attachments.map(referenceOf)
        const requestId = draft.requestId(attachments.map(({ id }) => id))
        create.mutate({ requestId, text: draft.text.trim(), attachments })
      }}
    />
  )
}
