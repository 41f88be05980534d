import { useTranslation } from 'react-i18next'
import { useEditor } from '../../editor/use-editor.ts'
import panel from '../panel.module.css'
import { ReadOnlyNote } from '../read-only-note.tsx'
import { useWords } from '../words.ts'
import { fieldSpecs } from './field-specs.ts'
import { InspectorHead } from './inspector-head.tsx'
import { NodeFacts } from './node-facts.tsx'
import { NodeFrameFields } from './node-frame-fields.tsx'
import { NodeInputs } from './node-inputs.tsx'
import { NodeProblems } from './node-problems.tsx'
import { NodeSetting } from './node-setting.tsx'
import type { SelectedNode } from './selected.ts'

/** Everything about one layer or block. */
export function NodeSettings({ node }: { node: SelectedNode }) {
  const { t } = useTranslation('dripe-panels')
  const words = useWords()
  const document = useEditor((state) => state.document)
  const vocabulary = useEditor((state) => state.vocabulary)
  const { op } = node.node
  const specs = fieldSpecs(op, document, vocabulary)
  return (
    <div className={panel.panel}>
      <InspectorHead
        title={words.title(op, node.block)}
        kind={node.block === null ? t('inspector.layer') : t('inspector.block')}
        help={words.help(op, node.block)}
      />
      {node.isReadOnly ? <ReadOnlyNote path={node.path} /> : null}
      <NodeProblems path={node.path} />
      {specs.length === 0 ? null : (
        <section className={panel.section} aria-label={t('inspector.settings')} data-fields>
          {specs.map((spec) => (
            <NodeSetting key={spec.name} spec={spec} node={node} />
          ))}
        </section>
      )}
      <NodeInputs node={node} />
      <NodeFrameFields node={node} />
      <NodeFacts node={node} />
    </div>
  )
}
