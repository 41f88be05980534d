import { graphOf } from '@neuroloom/contract/network/edit-graph'
import { Select } from 'antd'
import { useTranslation } from 'react-i18next'
import { useEditor } from '../editor/use-editor.ts'
import { Field } from './field.tsx'
import type { SelectedNode } from './selected.ts'

type Props = { node: SelectedNode; onChange: (share: string | undefined) => void }

/** Uses the weights of another node of the same kind; not shown where there is none. */
export function ShareField({ node, onChange }: Props) {
  const { t } = useTranslation('dripe-panels')
  const document = useEditor((state) => state.document)
  const { scope, id, isReadOnly } = node
  const { op, share } = node.node
  const alike = [...(graphOf(document, scope)?.nodes ?? [])].filter(
    ([name, other]) => name !== id && other.op === op && other.share === undefined,
  )
  if (isReadOnly || (alike.length === 0 && share === undefined)) return null
  return (
    <Field label={t('frame.share')} note={share === undefined ? undefined : t('frame.shareNote')}>
      {(ids) => (
        <Select
          {...ids}
          size="small"
          allowClear
          showSearch
          value={share ?? null}
          placeholder={t('frame.own')}
          options={alike.map(([name]) => ({ value: name, label: name }))}
          onChange={(next?: string) => onChange(next)}
        />
      )}
    </Field>
  )
}
