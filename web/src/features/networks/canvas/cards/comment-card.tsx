import type { CanvasComment } from '@neuroloom/contract/network/layout/file'
import type { Node as FlowNode, NodeProps } from '@xyflow/react'
import { type KeyboardEvent, memo, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { removeComments, writeComment } from '../../editor/comments.ts'
import { useScreen } from '../../editor/screen.ts'
import { useWorkbench } from '../../editor/workbench.ts'
import styles from './comment-card.module.css'

export type CommentNode = FlowNode<{ comment: CanvasComment }, 'comment'>

/** Words that somebody wrote on the canvas; pressed twice, or with Enter, they are written anew. */
export const CommentCard = memo(function CommentCard({ data: { comment } }: NodeProps<CommentNode>) {
  const { t } = useTranslation('dripe')
  const bench = useWorkbench()
  const { id, text } = comment
  const isWriting = useScreen(({ writing }) => writing === id)
  const card = useRef<HTMLDivElement>(null)
  const begin = () => bench.screen.getState().set({ writing: id })
  const handleKey = (event: KeyboardEvent) => {
    if (event.target !== card.current) return
    if (event.key === 'Enter') begin()
    else if (event.key === 'Delete' || event.key === 'Backspace') removeComments(bench, new Set([id]))
    else return
    event.preventDefault()
  }
  return (
    <div
      ref={card}
      className={styles.comment}
      // The canvas’s own keys walk the network alone.
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it is read and written by keyboard too
      tabIndex={0}
      role="note"
      aria-label={t('comment.name', { text })}
      onDoubleClick={begin}
      onKeyDown={handleKey}
    >
      {isWriting ? (
        <Writing
          text={text}
          onEnd={(written) => {
            writeComment(bench, id, written)
            card.current?.focus({ preventScroll: true })
          }}
        />
      ) : (
        text
      )}
    </div>
  )
})

function Writing({ text, onEnd }: { text: string; onEnd: (text: string) => void }) {
  const { t } = useTranslation('dripe')
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => field.current?.focus({ preventScroll: true }), [])
  return (
    <textarea
      ref={field}
      className="nodrag nowheel nopan"
      defaultValue={text}
      maxLength={2000}
      aria-label={t('comment.text')}
      placeholder={t('comment.text')}
      onBlur={({ currentTarget }) => onEnd(currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape' || (event.key === 'Enter' && (event.ctrlKey || event.metaKey))) {
          event.preventDefault()
          event.currentTarget.blur()
        }
      }}
    />
  )
}

const width = 224
/** Letters of a line; those of Chinese are twice as wide. */
const lineLength = 30

/** Large enough for what it says, without being drawn first. */
export function commentSize({ text }: Pick<CanvasComment, 'text'>): { width: number; height: number } {
  const lines = text.split('\n').map((line) => {
    const wideLetters = line.match(/[^\p{Script=Latin}\p{Script=Cyrillic}\p{P}\p{N}\s]/gu)?.length ?? 0
    return Math.max(1, Math.ceil((line.length + wideLetters) / lineLength))
  })
  const count = lines.reduce((sum, one) => sum + one, 0)
  return { width, height: 24 + 20 * Math.min(12, Math.max(2, count)) }
}

export function commentNode(comment: CanvasComment, selected: boolean): CommentNode {
  const size = commentSize(comment)
  const [x, y] = comment.at
  return {
    id: comment.id,
    type: 'comment',
    position: { x, y },
    ...size,
    measured: size,
    data: { comment },
    selected,
    connectable: false,
  }
}
