import { ArrowDownOutlined, ArrowUpOutlined, DisconnectOutlined } from '@ant-design/icons'
import type { Vocabulary } from '@neuroloom/contract/network/document/canonical'
import type { Document } from '@neuroloom/contract/network/document/document'
import { connect, disconnect } from '@neuroloom/contract/network/edit/edit'
import { graphOf } from '@neuroloom/contract/network/edit/graph'
import { portsOf, type Slot, slotsOf } from '@neuroloom/contract/network/edit/slots'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { useEditor, useEditorStore } from '../../editor/use-editor.ts'
import panel from '../panel.module.css'
import { Tool } from './field.tsx'
import styles from './inspector.module.css'
import { portName } from './port-name.ts'
import type { SelectedNode } from './selected.ts'
import { SourceSelect } from './source-select.tsx'

/** What flows into a node: choose another source, take it off, change the order. */
export function NodeInputs({ node }: { node: SelectedNode }) {
  const { t } = useTranslation('dripe-panels')
  const document = useEditor((state) => state.document)
  const vocabulary = useEditor((state) => state.vocabulary)
  const ports = portsOf(node.node.op, document, vocabulary)
  const slots = slotsOf(node.node, ports)
  const hasRoom = ports.kind !== 'fixed' && slots.length < ports.most && !node.isReadOnly
  const shown: Slot[] = hasRoom ? [...slots, { port: null, ref: null }] : slots
  if (node.isReadOnly) return null
  return (
    <section className={panel.section} aria-label={t('inputs.title')}>
      <h3 className={panel.heading}>{t('inputs.title')}</h3>
      <ul className={styles.inputs}>
        {shown.map((slot, k) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a slot is its place
          <NodeInput key={k} node={node} slot={slot} at={k} count={slots.length} />
        ))}
      </ul>
    </section>
  )
}

type InputProps = { node: SelectedNode; slot: Slot; at: number; count: number }

function NodeInput({ node, slot, at, count }: InputProps) {
  const { t } = useTranslation('dripe-panels')
  const id = useId()
  const store = useEditorStore()
  const { scope, id: target } = node
  const isNew = at >= count
  const label = isNew ? t('inputs.more') : portName(slot.port, at)
  const { edit, vocabulary } = store.getState()
  const handleMove = (to: number) =>
    edit((document) => swapInputs(document, { scope, target, at, to, vocabulary }))
  return (
    <li className={styles.input}>
      <span id={id} className={styles.port}>
        {label}
      </span>
      <div className={styles.source}>
        <SourceSelect
          labelledBy={id}
          scope={scope}
          around={node.planPath.slice(0, -target.length)}
          target={target}
          value={slot.ref}
          onChoose={(source) =>
            edit((document) => connect(document, scope, { source, target, slot: at }, vocabulary))
          }
        />
        {slot.port === null && !isNew && count > 1 ? (
          <>
            <Tool
              label={t('inputs.up', { name: label })}
              icon={<ArrowUpOutlined aria-hidden />}
              isDisabled={at === 0}
              onClick={() => handleMove(at - 1)}
            />
            <Tool
              label={t('inputs.down', { name: label })}
              icon={<ArrowDownOutlined aria-hidden />}
              isDisabled={at === count - 1}
              onClick={() => handleMove(at + 1)}
            />
          </>
        ) : null}
        {slot.ref === null ? null : (
          <Tool
            label={t('inputs.disconnect', { name: label })}
            icon={<DisconnectOutlined aria-hidden />}
            onClick={() => edit((document) => disconnect(document, scope, { target, slot: at }, vocabulary))}
          />
        )}
      </div>
    </li>
  )
}

type Swap = { scope: string | null; target: string; at: number; to: number; vocabulary: Vocabulary }

function swapInputs(document: Document, { scope, target, at, to, vocabulary }: Swap): Document {
  const node = graphOf(document, scope)?.nodes.get(target)
  if (node === undefined) return document
  const slots = slotsOf(node, portsOf(node.op, document, vocabulary))
  const [one, other] = [slots[at]?.ref, slots[to]?.ref]
  if (one === null || one === undefined || other === null || other === undefined) return document
  const half = connect(document, scope, { source: other, target, slot: at }, vocabulary)
  return connect(half, scope, { source: one, target, slot: to }, vocabulary)
}
