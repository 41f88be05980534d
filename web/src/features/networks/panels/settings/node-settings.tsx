import { makeLocal } from '@neuroloom/contract/network/edit/blocks'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { parentOf, placeOf } from '../../editor/paths.ts'
import { useEditor, useEditorStore } from '../../editor/use-editor.ts'
import panel from '../panel.module.css'
import { useWords } from '../words.ts'
import { fieldSpecs } from './field-specs.ts'
import styles from './inspector.module.css'
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

/** Says why nothing can be changed inside a library block, and makes a copy that can. */
function ReadOnlyNote({ path }: { path: string }) {
  const { t } = useTranslation('dripe-panels')
  const store = useEditorStore()
  const handleCopy = () => {
    const { document, vocabulary, edit } = store.getState()
    // The outermost use of a library block around: all that is inside comes along.
    let use = parentOf(path)
    for (let up = use; up !== ''; up = parentOf(up)) {
      const place = placeOf(document, vocabulary, up)
      use = up
      if (place !== null && !place.isReadOnly) break
    }
    const place = placeOf(document, vocabulary, use)
    if (place === null) return
    edit((before) => makeLocal(before, place.scope, place.id, vocabulary))
  }
  return (
    <div className={styles.readOnly}>
      <span>{t('inspector.readOnly')}</span>
      <Button size="small" onClick={handleCopy}>
        {t('inspector.makeLocal')}
      </Button>
    </div>
  )
}
