import { Button, Input } from 'antd'
import type { TextAreaRef } from 'antd/es/input/TextArea'
import { type RefObject, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { messageOf } from '../../../lib/api.ts'
import { formatNumber } from '../../../lib/format.ts'
import { AttachMenu } from '../attachments/attach-menu.tsx'
import { DropHint } from '../attachments/drop-hint.tsx'
import { ImageButton } from '../attachments/image-button.tsx'
import { pastedImages, useImageDrop } from '../attachments/image-transfer.ts'
import { PickedRow } from '../attachments/picked-row.tsx'
import type { Picked } from '../attachments/use-picked.ts'
import styles from './posts.module.css'

type WriteFormProps = {
  label: string
  placeholder: string
  sendLabel: string
  text: string
  maxLength: number
  minRows: number
  isSending: boolean
  /** Why it was not taken; the text stays. */
  error: Error | null
  field?: RefObject<TextAreaRef | null>
  /** Of texts with which images may go. */
  picked?: Picked
  onText: (text: string) => void
  onSend: () => void
  onCancel?: () => void
}

/** A field for a post or a reply. Control or Command and Enter send it. */
export function WriteForm({
  label,
  placeholder,
  sendLabel,
  text,
  maxLength,
  minRows,
  isSending,
  error,
  field,
  picked,
  onText,
  onSend,
  onCancel,
}: WriteFormProps) {
  const { t } = useTranslation(['social-posts', 'common'])
  const help = useId()
  const left = maxLength - text.length
  const { attachments = [], isIncomplete = false } = picked ?? {}
  const isEmpty = isIncomplete || (text.trim() === '' && attachments.length === 0)
  const { isOver, dropProps } = useImageDrop((files) => picked?.add(files))
  const send = () => {
    if (!isEmpty && !isSending) onSend()
  }
  return (
    <form
      className={styles.form}
      {...(picked ? dropProps : {})}
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <Input.TextArea
        {...(field ? { ref: field } : {})}
        aria-label={label}
        aria-describedby={help}
        placeholder={placeholder}
        maxLength={maxLength}
        autoSize={{ minRows, maxRows: 14 }}
        value={text}
        onChange={({ target }) => onText(target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send()
        }}
        onPaste={(event) => {
          const files = picked ? pastedImages(event) : []
          if (files.length === 0) return
          event.preventDefault()
          picked?.add(files)
        }}
      />
      {isOver && <DropHint />}
      {picked && <PickedRow picked={picked} />}
      {error && (
        <p role="alert" className={styles.problem}>
          {messageOf(error)}
        </p>
      )}
      <div className={styles.formFoot}>
        {picked && <ImageButton picked={picked} />}
        {picked && <AttachMenu picked={picked} />}
        <span id={help} className={styles.soft}>
          {left <= maxLength / 5 ? t('write.left', { count: left, shown: formatNumber(left) }) : ''}
        </span>
        {onCancel && <Button onClick={onCancel}>{t('common:cancel')}</Button>}
        <Button type="primary" htmlType="submit" disabled={isEmpty} loading={isSending}>
          {sendLabel}
        </Button>
      </div>
    </form>
  )
}
