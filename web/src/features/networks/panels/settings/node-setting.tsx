import { changeNode } from '@neuroloom/contract/network/edit/edit'
import { useMemo } from 'react'
import { useEditor, useEditorStore } from '../../editor/use-editor.ts'
import { checkSetting } from './check-value.ts'
import type { FieldSpec } from './field-specs.ts'
import type { SelectedNode } from './selected.ts'
import { SettingField } from './setting-field.tsx'
import { useFrame } from './use-frame.ts'

/** One setting of one layer: what is written, what it gives at this place, and the edit. */
export function NodeSetting({ spec, node }: { spec: FieldSpec; node: SelectedNode }) {
  const store = useEditorStore()
  const document = useEditor((state) => state.document)
  const vocabulary = useEditor((state) => state.vocabulary)
  const nodes = useEditor(({ resolved }) => resolved.nodes)
  const frame = useFrame(node.path)
  const { scope, id, path, planPath } = node
  const { op, params, repeat } = node.node
  const first = repeat === undefined ? planPath : `${planPath}/0`
  const worked = useMemo(() => nodes.find((one) => one.id === first)?.params[spec.name], [nodes, first, spec])
  const rank = frame?.inputs[0]?.k === 'map' ? frame.inputs[0].s.length : 0
  return (
    <SettingField
      spec={spec}
      op={op}
      value={params.get(spec.name)}
      worked={worked}
      rank={rank}
      isReadOnly={node.isReadOnly}
      check={(value) => checkSetting({ op, name: spec.name, value }, frame, { document, vocabulary })}
      onChange={(value, turn) =>
        store
          .getState()
          .edit((before) => changeNode(before, scope, id, { params: new Map([[spec.name, value]]) }), {
            merge: `${path} ${spec.name} ${turn}`,
          })
      }
    />
  )
}
