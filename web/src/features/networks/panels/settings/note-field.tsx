import { networkLimits } from '@neuroloom/contract/network/document/document'
import { Input } from 'antd'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Field } from './field.tsx'
import { nextTurn } from './use-draft.ts'

type Props = {
  note: string | undefined
  isReadOnly: boolean
  onChange: (note: string | undefined, turn: number) => void
}

/** A few words to oneself; in the text a comment behind the node. */
export function NoteField({ note, isReadOnly, onChange }: Props) {
  const { t } = useTranslation('dripe-panels')
  const turn = useRef(0)
  return (
    <Field label={t('frame.note')}>
      {(ids) => (
        <Input.TextArea
          {...ids}
          size="small"
          autoSize={{ minRows: 1, maxRows: 5 }}
          maxLength={networkLimits.textLength}
          value={note ?? ''}
          readOnly={isReadOnly}
          onFocus={() => {
            turn.current = nextTurn()
          }}
          onChange={({ target }) => onChange(target.value === '' ? undefined : target.value, turn.current)}
        />
      )}
    </Field>
  )
}
