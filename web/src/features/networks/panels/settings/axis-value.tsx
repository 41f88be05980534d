import type { ParamValue } from '@neuroloom/contract/network/document/document'
import { Input } from 'antd'
import { type ReactNode, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useProblemText } from '../problems/problem-text.ts'
import { useWords } from '../words.ts'
import type { Checked } from './check-value.ts'
import styles from './field.module.css'
import { Field } from './field.tsx'
import type { FieldSpec } from './field-specs.ts'
import type { Change } from './text-value.tsx'
import { readTyped, stepped, writeTyped } from './typed-value.ts'
import { nextTurn, useDraft } from './use-draft.ts'

export type SettingProps = {
  spec: FieldSpec
  op: string
  /** As written in the document; undefined = the default. */
  value: ParamValue | undefined
  /** What the resolver made of it, where it says more than the text: `auto`, a formula of the block. */
  worked?: ParamValue | undefined
  /** The chosen layers differ here. */
  isMixed?: boolean
  /** Axes of the picture that arrives; 0 = unknown or none. */
  rank: number
  isReadOnly: boolean
  check: (value: ParamValue) => Checked
  onChange: Change
}

type Scalar = Exclude<ParamValue, unknown[]>
type Props = Omit<SettingProps, 'value'> & { value: Scalar[]; tools: ReactNode }

/** One number for every axis of the picture: depth, height, width. */
export function AxisValue({ spec, op, value, isReadOnly, check, onChange, tools }: Props) {
  const { t } = useTranslation('dripe-panels')
  const words = useWords()
  const problemText = useProblemText()
  const turn = useRef(0)
  const { shown, type } = useDraft(value.map(writeTyped))
  const read = readParts(shown)
  const problem = read === null ? null : check(read).problem
  const error = read === null ? t('field.unreadable.axis') : problem === null ? null : problemText(problem)

  const handleText = (at: number, text: string) => {
    const next = shown.map((part, k) => (k === at ? text : part))
    const values = readParts(next)
    if (values === null || check(values).problem !== null) return type(next)
    type(next, values.map(writeTyped))
    onChange(values, turn.current)
  }
  const label = words.setting(op, spec.name, spec.title)
  return (
    <Field label={label} help={words.settingHelp(op, spec.name)} error={error} tools={tools}>
      {(ids) => (
        <div className={styles.axes}>
          {shown.map((part, k) => (
            <Input
              // biome-ignore lint/suspicious/noArrayIndexKey: axes have no other name than their place
              key={k}
              {...(k === 0 ? ids : {})}
              size="small"
              aria-label={`${label}, ${t(axisKey(k, shown.length))}`}
              title={t(axisKey(k, shown.length))}
              value={part}
              readOnly={isReadOnly}
              status={error === null ? '' : 'error'}
              autoComplete="off"
              onFocus={() => {
                turn.current = nextTurn()
              }}
              onChange={(event) => handleText(k, event.target.value)}
              onKeyDown={(event) => {
                const by = { ArrowUp: 1, ArrowDown: -1 }[event.key]
                const next = by === undefined || isReadOnly ? null : stepped(part, by)
                if (next === null) return
                event.preventDefault()
                handleText(k, next)
              }}
            />
          ))}
        </div>
      )}
    </Field>
  )
}

/** Pictures are written height, width; volumes depth, height, width. */
export function axisKey(
  at: number,
  count: number,
): 'axis.length' | 'axis.depth' | 'axis.height' | 'axis.width' {
  if (count === 1) return 'axis.length'
  return (['axis.depth', 'axis.height', 'axis.width'] as const)[at + 3 - count] ?? 'axis.width'
}

function readParts(parts: readonly string[]): Scalar[] | null {
  const values: Scalar[] = []
  for (const part of parts) {
    const typed = readTyped(part, { kind: 'int', hasAuto: false })
    if (typed === null || typed.value === undefined || Array.isArray(typed.value)) return null
    values.push(typed.value)
  }
  return values
}
