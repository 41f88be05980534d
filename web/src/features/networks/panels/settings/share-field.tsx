import type { Node } from '@neuroloom/contract/network/document/document'
import { graphOf } from '@neuroloom/contract/network/edit/graph'
import { Select } from 'antd'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useEditor } from '../../editor/use-editor.ts'
import { Field } from './field.tsx'
import type { SelectedNode } from './selected.ts'

type Props = { node: SelectedNode; onChange: (share: string | undefined) => void }

/** Uses the weights of another node of the same kind; not shown where there is none. */
export function ShareField({ node, onChange }: Props) {
  const { t } = useTranslation('dripe-panels')
  const document = useEditor((state) => state.document)
  const { scope, id, isReadOnly } = node
  const { op, share } = node.node
  const [isOpen, setIsOpen] = useState(false)
  const nodes = graphOf(document, scope)?.nodes
  const names = useMemo(
    () => (isOpen && nodes !== undefined ? [...alikeIn(nodes, id, op)] : noNames),
    [isOpen, nodes, id, op],
  )
  const hasAlike = nodes !== undefined && alikeIn(nodes, id, op).next().done !== true
  if (isReadOnly || (!hasAlike && share === undefined)) return null
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
          options={names}
          onOpenChange={setIsOpen}
          onChange={(next?: string) => onChange(next)}
        />
      )}
    </Field>
  )
}

const noNames: { value: string; label: string }[] = []

function* alikeIn(nodes: ReadonlyMap<string, Node>, id: string, op: string) {
  for (const [name, other] of nodes) {
    if (name !== id && other.op === op && other.share === undefined) yield { value: name, label: name }
  }
}
