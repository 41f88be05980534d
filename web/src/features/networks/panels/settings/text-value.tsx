import type { ParamValue } from '@neuroloom/contract/network/document/document'
import type { Value } from '@neuroloom/contract/network/resolve/expr'
import { Input } from 'antd'
import { type KeyboardEvent, type ReactNode, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../../lib/format.ts'
import { useProblemText } from '../problems/problem-text.ts'
import type { Checked } from './check-value.ts'
import styles from './field.module.css'
import { Field } from './field.tsx'
import type { FieldKind } from './field-specs.ts'
import { readTyped, stepped, type Typed, writeTyped } from './typed-value.ts'
import { nextTurn, useDraft } from './use-draft.ts'

export type Change = (value: ParamValue | undefined, turn: number) => void

type Props = {
  label: string
  help?: string
  kind: FieldKind
  hasAuto?: boolean
  value: ParamValue | undefined
  placeholder?: string
  note?: ReactNode
  tools?: ReactNode
  isReadOnly?: boolean
  /** An empty field stands for the default; otherwise it is a mistake. */
  isOptional?: boolean
  check: (value: ParamValue) => Checked
  onChange: Change
}

/** A value that is typed: number, list, word, or a formula with what it gives. A wrong one stays in the field alone. */
export function TextValue(props: Props) {
  const { label, help = '', placeholder = '', note, tools, isReadOnly = false } = props
  const { shown, judged, handleText, handleBlur, handleFocus, drop } = useTyping(props)
  const { error, result } = judged
  const handleKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') return drop()
    const by = { ArrowUp: 1, ArrowDown: -1 }[event.key] ?? 0
    const next = isReadOnly ? null : stepped(shown || placeholder, event.shiftKey ? 10 * by : by)
    if (by === 0 || next === null) return
    event.preventDefault()
    handleText(next)
  }
  return (
    <Field label={label} help={help} error={error} note={note} tools={tools}>
      {(ids) => (
        <Input
          {...ids}
          size="small"
          value={shown}
          placeholder={placeholder}
          readOnly={isReadOnly}
          spellCheck={false}
          autoComplete="off"
          status={error === null ? '' : 'error'}
          suffix={
            result === undefined ? <span /> : <span className={styles.result}>= {resultText(result)}</span>
          }
          onChange={(event) => handleText(event.target.value)}
          onKeyDown={handleKeyDown}
          onFocus={handleFocus}
          onBlur={handleBlur}
        />
      )}
    </Field>
  )
}

/** The text in the field, what it means, and what it does to the document. */
function useTyping({ kind, hasAuto = false, value, isOptional = true, check, onChange }: Props) {
  const textOf = useTypedText()
  const turn = useRef(0)
  const { shown, isDraft, type, drop } = useDraft(writeTyped(value))
  const judge = (typed: Typed) => {
    if (typed === null) return { error: textOf.unreadable(kind), result: undefined }
    if (typed.value === undefined) {
      return { error: isOptional ? null : textOf.empty, result: undefined }
    }
    const { problem, result } = check(typed.value)
    return { error: problem === null ? null : textOf.problem(problem), result }
  }
  const judged = judge(isDraft ? readTyped(shown, { kind, hasAuto }) : { value })
  const handleText = (text: string) => {
    const typed = readTyped(text, { kind, hasAuto })
    if (typed === null || judge(typed).error !== null) return type(text)
    type(text, writeTyped(typed.value))
    onChange(typed.value, turn.current)
  }
  return {
    shown,
    judged,
    handleText,
    drop,
    handleFocus: () => {
      turn.current = nextTurn()
    },
    // A wrong text stays to be repaired; a right one is shown as it is written.
    handleBlur: () => judged.error === null && drop(),
  }
}

function useTypedText() {
  const { t } = useTranslation('dripe-panels')
  return {
    problem: useProblemText(),
    unreadable: (kind: FieldKind) => t(`field.unreadable.${kind}`),
    empty: t('field.empty'),
  }
}

function resultText(value: Value): string {
  if (typeof value === 'number') return formatNumber(value)
  if (Array.isArray(value)) return value.map(resultText).join(' × ')
  return typeof value === 'object' ? '…' : String(value)
}
