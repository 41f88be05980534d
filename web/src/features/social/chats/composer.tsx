import { CloseOutlined, SendOutlined } from '@ant-design/icons'
import { social as limits } from '@neuroloom/contract/limits'
import type { Message } from '@neuroloom/contract/social/chats'
import type { Person } from '@neuroloom/contract/social/people'
import { Button, Input } from 'antd'
import type { TextAreaRef } from 'antd/es/input/TextArea'
import { type KeyboardEvent, type RefObject, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/format.ts'
import { AttachMenu } from '../attachments/attach-menu.tsx'
import type { PickedFile } from '../attachments/file-picker.ts'
import { ImageButton } from '../attachments/image-button.tsx'
import { pastedImages } from '../attachments/image-transfer.ts'
import { PickedRow } from '../attachments/picked-row.tsx'
import type { Picked } from '../attachments/use-picked.ts'
import styles from './composer.module.css'
import { type Draft, emptyDraft, keepDraft, readDraft } from './drafts.ts'
import { EmojiPicker } from './emoji-picker.tsx'
import { insertMention, matchingPeople, mentionQuery, namedIn } from './mentions.ts'
import { Quote } from './message-line.tsx'

export type Written = Pick<Message, 'text' | 'attachments' | 'replyTo' | 'mentions'>

type Props = {
  chatId: string
  chatName: string
  memberId: string
  /** Who can be named with an @. */
  people: readonly Person[]
  /** A message to be answered; a new object asks for it again. */
  replyTo: Message['replyTo']
  onReplyEnd: () => void
  picked: Picked
  /** Files that are referred to: in a conversation of two the other one may be given a look at them. */
  onFiles?: ((files: readonly PickedFile[]) => void) | undefined
  onSend: (written: Written) => void
}

/** From here on the remaining letters are counted. */
const COUNT_FROM = 0.9

/** Enter sends, Shift+Enter begins a new line. What is written is kept in this browser until it is sent. */
export function Composer(props: Props) {
  const { chatId, chatName, memberId, people, replyTo, onReplyEnd, picked, onFiles, onSend } = props
  const { t } = useTranslation('social')
  const [draft, setDraft] = useState(() => readDraft(memberId, chatId))
  const field = useRef<TextAreaRef>(null)
  const change = (next: Draft) => {
    setDraft(next)
    keepDraft(memberId, chatId, next)
  }
  const latest = useRef(change)
  latest.current = change
  const current = useRef(draft)
  current.current = draft
  useEffect(() => {
    if (!replyTo) return
    latest.current({ ...current.current, replyTo })
    field.current?.focus()
  }, [replyTo])
  const endReply = () => {
    change({ ...draft, replyTo: null })
    onReplyEnd()
  }
  const mention = useMention({ draft, people, field, change })
  const text = draft.text.trim()
  const { attachments, isIncomplete } = picked
  const canSend = !isIncomplete && (text !== '' || attachments.length > 0)
  const send = () => {
    if (!canSend) return
    const mentions = namedIn(text, draft.named).slice(0, limits.mentions)
    onSend({ text, attachments, replyTo: draft.replyTo, mentions })
    picked.clear()
    change(emptyDraft)
    mention.close()
    onReplyEnd()
    field.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter that ends a choice of Chinese characters sends nothing.
    if (event.nativeEvent.isComposing) return
    if (mention.onKey(event)) return
    if (event.key === 'Escape' && draft.replyTo) endReply()
    if (event.key !== 'Enter' || event.shiftKey) return
    event.preventDefault()
    send()
  }
  const insert = (added: string) => {
    const area = field.current?.resizableTextArea?.textArea
    const from = area?.selectionStart ?? draft.text.length
    const to = area?.selectionEnd ?? from
    const next = `${draft.text.slice(0, from)}${added}${draft.text.slice(to)}`.slice(0, limits.messageLength)
    change({ ...draft, text: next })
    moveCaret(field, from + added.length)
  }
  const left = limits.messageLength - draft.text.length
  return (
    <div className={styles.composer}>
      {draft.replyTo && (
        <div className={styles.reply}>
          <Quote replyTo={draft.replyTo} />
          <Button
            type="text"
            size="small"
            icon={<CloseOutlined aria-hidden />}
            aria-label={t('replyEnd')}
            onClick={endReply}
          />
        </div>
      )}
      {mention.list}
      <PickedRow picked={picked} />
      <div className={styles.row}>
        <EmojiPicker onPick={insert} />
        <ImageButton picked={picked} />
        <AttachMenu picked={picked} {...(onFiles ? { onFiles } : {})} />
        <Input.TextArea
          ref={field}
          className={styles.field ?? ''}
          aria-label={t('writeTo', { name: chatName })}
          {...mention.fieldProps}
          placeholder={t('write')}
          autoSize={{ minRows: 1, maxRows: 6 }}
          maxLength={limits.messageLength}
          value={draft.text}
          onChange={({ target }) => {
            change({ ...draft, text: target.value })
            mention.look(target.value, target.selectionStart)
          }}
          onKeyDown={onKeyDown}
          onBlur={mention.close}
          onPaste={(event) => {
            const files = pastedImages(event)
            if (files.length === 0) return
            event.preventDefault()
            picked.add(files)
          }}
        />
        <Button
          type="primary"
          icon={<SendOutlined aria-hidden />}
          aria-label={t('send')}
          disabled={!canSend}
          onClick={send}
        />
      </div>
      {draft.text.length > limits.messageLength * COUNT_FROM && (
        <small className={styles.left} role="status">
          {t('lettersLeft', { count: left, shown: formatNumber(left) })}
        </small>
      )}
    </div>
  )
}

/** After React has put the new text into the field. */
function moveCaret(field: RefObject<TextAreaRef | null>, caret: number): void {
  requestAnimationFrame(() => {
    const area = field.current?.resizableTextArea?.textArea
    area?.focus()
    area?.setSelectionRange(caret, caret)
  })
}

type MentionOptions = {
  draft: Draft
  people: readonly Person[]
  field: RefObject<TextAreaRef | null>
  change: (draft: Draft) => void
}

/** The list of members that opens behind an @, steered by the keys of the field. */
function useMention({ draft, people, field, change }: MentionOptions) {
  const { t } = useTranslation('social')
  const id = useId()
  const [typed, setTyped] = useState<{ from: number; caret: number; query: string } | null>(null)
  const [index, setIndex] = useState(0)
  const found = typed ? matchingPeople(people, typed.query) : []
  const isOpen = found.length > 0
  const close = () => setTyped(null)
  const choose = (person: Person) => {
    if (!typed) return
    const { text, caret } = insertMention(draft.text, { ...typed, name: person.nickName })
    const { id: personId, nickName } = person
    change({ ...draft, text, named: [...draft.named, { id: personId, nickName }] })
    close()
    moveCaret(field, caret)
  }
  const onKey = (event: KeyboardEvent): boolean => {
    const person = found[index]
    if (!isOpen || !person) return false
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) setIndex((index + step + found.length) % found.length)
    else if (event.key === 'Enter' || event.key === 'Tab') choose(person)
    else if (event.key === 'Escape') close()
    else return false
    event.preventDefault()
    event.stopPropagation()
    return true
  }
  const look = (text: string, caret: number) => {
    const query = mentionQuery(text, caret)
    setTyped(query && { ...query, caret })
    setIndex(0)
  }
  const list = isOpen && (
    <div id={id} className={styles.mentions} role="listbox" aria-label={t('mention')}>
      {found.map((person, at) => (
        <div
          key={person.id}
          id={`${id}-${at}`}
          role="option"
          aria-selected={at === index}
          tabIndex={-1}
          // The field keeps the focus.
          onMouseDown={(event) => {
            event.preventDefault()
            choose(person)
          }}
        >
          {person.nickName}
        </div>
      ))}
    </div>
  )
  const fieldProps = isOpen
    ? ({
        'aria-autocomplete': 'list',
        'aria-controls': id,
        'aria-activedescendant': `${id}-${index}`,
      } as const)
    : {}
  return { list, fieldProps, onKey, look, close }
}
