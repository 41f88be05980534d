import { FunctionOutlined, UndoOutlined } from '@ant-design/icons'
import type { Node } from '@neuroloom/contract/network/document/document'
import { Switch } from 'antd'
import { useTranslation } from 'react-i18next'
import { checkFlag } from './check-value.ts'
import { Field, Tool } from './field.tsx'
import type { NodeFrame } from './frame-at.ts'
import { TextValue } from './text-value.tsx'
import { nextTurn } from './use-draft.ts'

type Off = Node['off']
type Props = {
  off: Off
  frame: NodeFrame | null
  isReadOnly: boolean
  onChange: (off: Off, turn: number) => void
}

/** Whether a node is passed by: always, never, or where a formula holds. */
export function BypassField({ off, frame, isReadOnly, onChange }: Props) {
  const { t } = useTranslation('dripe-panels')
  if (typeof off === 'string') {
    return (
      <TextValue
        label={t('frame.off')}
        kind="bool"
        value={off}
        isReadOnly={isReadOnly}
        check={(value) => checkFlag('off', value, frame)}
        tools={
          isReadOnly ? null : (
            <Tool
              label={t('frame.noFormula')}
              icon={<UndoOutlined aria-hidden />}
              onClick={() => onChange(undefined, nextTurn())}
            />
          )
        }
        onChange={(value, turn) => onChange(typeof value === 'boolean' ? value : textOf(value), turn)}
      />
    )
  }
  return (
    <Field
      label={t('frame.off')}
      note={off === true ? t('frame.offNote') : undefined}
      tools={
        isReadOnly ? null : (
          <Tool
            label={t('field.formula')}
            icon={<FunctionOutlined aria-hidden />}
            onClick={() => onChange(`=${off === true}`, nextTurn())}
          />
        )
      }
    >
      {(ids) => (
        <Switch
          {...ids}
          size="small"
          checked={off === true}
          disabled={isReadOnly}
          onChange={(checked) => onChange(checked ? true : undefined, nextTurn())}
        />
      )}
    </Field>
  )
}

const textOf = (value: unknown): string | undefined => (value === undefined ? undefined : String(value))
