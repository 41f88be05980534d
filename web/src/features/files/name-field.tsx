import { files as limits } from '@neuroloom/contract/limits'
import { Input, type InputRef } from 'antd'
import { useEffect, useRef, useState } from 'react'

type NameFieldProps = {
  name: string
  label: string
  /** Resolves when the name is kept; a rejection leaves the field open. */
  onSave: (name: string) => Promise<unknown>
  onClose: () => void
}

/** Renames in place: Enter or leaving the field keeps the name, Escape does not. */
export function NameField({ name, label, onSave, onClose }: NameFieldProps) {
  const [text, setText] = useState(name)
  const [isBusy, setIsBusy] = useState(false)
  const field = useRef<InputRef>(null)
  useEffect(() => {
    const dot = name.lastIndexOf('.')
    field.current?.focus()
    // The ending stays unless it is meant.
    field.current?.input?.setSelectionRange(0, dot > 0 ? dot : name.length)
  }, [name])
  const save = async () => {
    const wanted = text.trim()
    if (wanted === '' || wanted === name) return onClose()
    if (isBusy) return
    setIsBusy(true)
    try {
      await onSave(wanted)
      onClose()
    } catch {
      // The call has said why; the text stays to be changed.
      setIsBusy(false)
      field.current?.focus()
    }
  }
  return (
    <Input
      ref={field}
      value={text}
      maxLength={limits.nameLength}
      aria-label={label}
      onChange={(event) => setText(event.target.value)}
      onPressEnter={save}
      onBlur={save}
      onKeyDown={(event) => {
        event.stopPropagation()
        if (event.key === 'Escape') onClose()
      }}
    />
  )
}
