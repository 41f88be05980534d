import type { ParamValue } from '@neuroloom/contract/network/document/document'
import { changeNode } from '@neuroloom/contract/network/edit/edit'
import { Switch } from 'antd'
import { useTranslation } from 'react-i18next'
import { useEditor, useEditorStore } from '../../editor/use-editor.ts'
import panel from '../panel.module.css'
import { useWords } from '../words.ts'
import { checkSetting } from './check-value.ts'
import { Field } from './field.tsx'
import { commonSpecs, type FieldSpec, fieldSpecs } from './field-specs.ts'
import { frameAt } from './frame-at.ts'
import { InspectorHead } from './inspector-head.tsx'
import type { SelectedNode } from './selected.ts'
import { SettingField } from './setting-field.tsx'
import { nextTurn } from './use-draft.ts'

/** What several chosen layers have in common, changed for all at once. */
export function ManySettings({ nodes }: { nodes: readonly SelectedNode[] }) {
  const { t } = useTranslation('dripe-panels')
  const words = useWords()
  const document = useEditor((state) => state.document)
  const vocabulary = useEditor((state) => state.vocabulary)
  const free = nodes.filter(({ isReadOnly }) => !isReadOnly)
  const specs = commonSpecs(free.map(({ node }) => fieldSpecs(node.op, document, vocabulary)))
  const names = [...new Set(nodes.map(({ node, block }) => words.title(node.op, block)))]
  const change = useChange(free)
  return (
    <div className={panel.panel}>
      <InspectorHead
        title={t('many.title', { count: nodes.length })}
        kind={t('many.kind')}
        help={names.join(', ')}
      />
      <section className={panel.section} aria-label={t('inspector.settings')} data-fields>
        {specs.map((spec) => (
          <CommonSetting key={spec.name} spec={spec} nodes={free} onChange={change} />
        ))}
        {specs.length === 0 ? <p className={panel.note}>{t('many.nothing')}</p> : null}
      </section>
      <section className={panel.section} aria-label={t('frame.title')}>
        <Field label={t('frame.off')}>
          {(ids) => (
            <Switch
              {...ids}
              size="small"
              checked={free.length > 0 && free.every(({ node }) => node.off === true)}
              disabled={free.length === 0}
              onChange={(checked) => change({ off: checked ? true : undefined }, 'off', nextTurn())}
            />
          )}
        </Field>
      </section>
    </div>
  )
}

type NodeChange = Parameters<typeof changeNode>[3]
type ChangeAll = (what: NodeChange, key: string, turn: number) => void

function useChange(nodes: readonly SelectedNode[]): ChangeAll {
  const store = useEditorStore()
  return (what, key, turn) =>
    store
      .getState()
      .edit(
        (before) => nodes.reduce((document, { scope, id }) => changeNode(document, scope, id, what), before),
        { merge: `many ${key} ${turn}` },
      )
}

type CommonProps = { spec: FieldSpec; nodes: readonly SelectedNode[]; onChange: ChangeAll }

function CommonSetting({ spec, nodes, onChange }: CommonProps) {
  const store = useEditorStore()
  const values = nodes.map(({ node }) => node.params.get(spec.name))
  const [value] = values
  const isMixed = values.some((other) => JSON.stringify(other) !== JSON.stringify(value))
  const op = nodes[0]?.node.op ?? ''
  /** A value must be right for each of them. */
  const check = (next: ParamValue) => {
    const state = store.getState()
    const checks = nodes.map(({ node, path }) =>
      checkSetting({ op: node.op, name: spec.name, value: next }, frameAt(state, path), state),
    )
    return checks.find(({ problem }) => problem !== null) ?? checks[0] ?? { result: undefined, problem: null }
  }
  return (
    <SettingField
      spec={spec}
      op={op}
      value={value}
      isMixed={isMixed}
      rank={0}
      isReadOnly={false}
      check={check}
      onChange={(next, turn) => onChange({ params: new Map([[spec.name, next]]) }, spec.name, turn)}
    />
  )
}
