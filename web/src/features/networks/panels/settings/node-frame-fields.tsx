import { networkLimits, type ParamValue } from '@neuroloom/contract/network/document/document'
import { changeNode } from '@neuroloom/contract/network/edit/edit'
import { Input } from 'antd'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useEditorStore } from '../../editor/use-editor.ts'
import panel from '../panel.module.css'
import { BypassField } from './bypass-field.tsx'
import { checkWhole } from './check-value.ts'
import { Field } from './field.tsx'
import { NameField } from './name-field.tsx'
import type { SelectedNode } from './selected.ts'
import { ShareField } from './share-field.tsx'
import { TextValue } from './text-value.tsx'
import { nextTurn } from './use-draft.ts'
import { useFrame } from './use-frame.ts'

type NodeChange = Parameters<typeof changeNode>[3]

/** What every node has, whatever it computes: name, copies, bypass, shared weights, a note. */
export function NodeFrameFields({ node }: { node: SelectedNode }) {
  const { t } = useTranslation('dripe-panels')
  const store = useEditorStore()
  const frame = useFrame(node.path)
  const { scope, id, path, isReadOnly } = node
  const { repeat, off, note } = node.node
  const change = (what: NodeChange, turn: number) =>
    store.getState().edit((document) => changeNode(document, scope, id, what), {
      merge: `${path} .${Object.keys(what).join()} ${turn}`,
    })
  return (
    <section className={panel.section} aria-label={t('frame.title')}>
      <NameField node={node} />
      <TextValue
        label={t('frame.repeat')}
        kind="int"
        value={repeat}
        placeholder="1"
        note={repeat === undefined ? undefined : t('frame.repeatNote')}
        isReadOnly={isReadOnly}
        check={(value) => checkWhole('repeat', value, { frame, least: 0, most: networkLimits.repeat })}
        onChange={(value, turn) => change({ repeat: value === undefined ? value : ruleOf(value) }, turn)}
      />
      <BypassField
        off={off}
        frame={frame}
        isReadOnly={isReadOnly}
        onChange={(next, turn) => change({ off: next }, turn)}
      />
      <ShareField node={node} onChange={(next) => change({ share: next }, nextTurn())} />
      <NoteField
        note={note}
        isReadOnly={isReadOnly}
        onChange={(next, turn) => change({ note: next }, turn)}
      />
    </section>
  )
}

/** A field of whole numbers gives numbers and formulas only. */
const ruleOf = (value: ParamValue): number | string => (typeof value === 'number' ? value : String(value))

type Props = {
  note: string | undefined
  isReadOnly: boolean
  onChange: (note: string | undefined, turn: number) => void
}

/** A few words to oneself; in the text a comment behind the node. */
function NoteField({ note, isReadOnly, onChange }: Props) {
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
