import { DeleteOutlined, EditOutlined, PlusOutlined } from '@ant-design/icons'
import type { Document, ParamSpec } from '@neuroloom/contract/network/document/document'
import { renameKnob, setKnob } from '@neuroloom/contract/network/edit/frame'
import { Button, Input, Select, Space } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useEditor, useEditorStore } from '../../editor/use-editor.ts'
import panel from '../panel.module.css'
import { checkKnob } from './check-value.ts'
import { Field, Tool } from './field.tsx'
import { blockField } from './field-specs.ts'
import styles from './inspector.module.css'
import { IdField } from './name-field.tsx'
import { TextValue } from './text-value.tsx'
import { nextTurn } from './use-draft.ts'
import { useTopScope } from './use-frame.ts'

/** The network's own settings, which formulas of its layers use: width, depth, classes. */
export function Knobs() {
  const { t } = useTranslation('dripe-panels')
  const params = useEditor(({ document }) => document.params)
  const [renamed, setRenamed] = useState<string | null>(null)
  return (
    <section className={panel.section} aria-label={t('knobs.title')}>
      <h3 className={panel.heading}>{t('knobs.title')}</h3>
      <p className={panel.note}>{t('knobs.help')}</p>
      {[...params].map(([name, spec]) => (
        <Knob key={name} name={name} spec={spec} isRenamed={name === renamed} onRenamed={setRenamed} />
      ))}
      <NewKnob />
    </section>
  )
}

function NewKnob() {
  const { t } = useTranslation('dripe-panels')
  const store = useEditorStore()
  const [name, setName] = useState('')
  const params = useEditor(({ document }) => document.params)
  const added = (document: Document) => setKnob(document, name, { type: 'int', default: 1 })
  const document = useEditor((state) => state.document)
  const isRefused = name !== '' && (params.has(name) || added(document) === document)
  const add = () => {
    if (name === '' || isRefused) return
    store.getState().edit(added)
    setName('')
  }
  return (
    <Field label={t('knobs.new')} error={isRefused ? t('knobs.refused') : null}>
      {(ids) => (
        <Space.Compact>
          <Input
            {...ids}
            size="small"
            value={name}
            placeholder={t('knobs.example')}
            spellCheck={false}
            autoComplete="off"
            status={isRefused ? 'error' : ''}
            onChange={({ target }) =>
              setName(target.value.normalize('NFKC').toLowerCase().replace(/[\s-]/g, '_'))
            }
            onPressEnter={add}
          />
          <Button
            size="small"
            icon={<PlusOutlined aria-hidden />}
            aria-label={t('knobs.add')}
            disabled={name === '' || isRefused}
            onClick={add}
          />
        </Space.Compact>
      )}
    </Field>
  )
}

const roles = ['none', 'classes', 'channels', 'factor'] as const

type KnobProps = {
  name: string
  spec: ParamSpec
  /** It has just got this name: the focus goes on from here. */
  isRenamed: boolean
  onRenamed: (next: string) => void
}

function Knob({ name, spec, isRenamed, onRenamed }: KnobProps) {
  const { t } = useTranslation('dripe-panels')
  const store = useEditorStore()
  const [isNaming, setIsNaming] = useState(false)
  const data = useEditor((state) => state.data)
  const frame = useTopScope()
  const change = (next: ParamSpec | null, turn: number) =>
    store.getState().edit((document) => setKnob(document, name, next), { merge: `knob ${name} ${turn}` })
  const bound = spec.role === undefined ? undefined : data?.facts[spec.role]
  return (
    <div className={styles.knob}>
      <TextValue
        label={spec.title ?? name}
        kind={blockField(name, spec).kind}
        value={spec.default}
        isOptional={false}
        note={bound === undefined ? undefined : t('knobs.bound', { value: bound, name: data?.name ?? '' })}
        check={(value) => checkKnob(name, { ...spec, default: value }, frame)}
        onChange={(value, turn) => value !== undefined && change({ ...spec, default: value }, turn)}
        tools={
          <>
            <RenameTool
              label={t('knobs.rename', { name })}
              isOpen={isNaming}
              isRenamed={isRenamed}
              onToggle={() => setIsNaming(!isNaming)}
            />
            <Tool
              label={t('knobs.remove', { name })}
              icon={<DeleteOutlined aria-hidden />}
              onClick={() => change(null, nextTurn())}
            />
          </>
        }
      />
      {isNaming ? <KnobName name={name} onRenamed={onRenamed} /> : null}
      <div className={styles.knobFoot}>
        <span>{rangeOf(spec)}</span>
        <Select<(typeof roles)[number]>
          size="small"
          variant="borderless"
          aria-label={t('knobs.role', { name })}
          value={spec.role ?? 'none'}
          options={roles.map((role) => ({ value: role, label: t(`role.${role}`) }))}
          popupMatchSelectWidth={false}
          onChange={(role) => change({ ...spec, role: role === 'none' ? undefined : role }, nextTurn())}
        />
      </div>
    </div>
  )

  function rangeOf({ min, max }: ParamSpec): string | undefined {
    return min === undefined || max === undefined ? undefined : t('knobs.range', { min, max })
  }
}

type RenameToolProps = { label: string; isOpen: boolean; isRenamed: boolean; onToggle: () => void }

function RenameTool({ label, isOpen, isRenamed, onToggle }: RenameToolProps) {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    // The field that had the focus is gone with the old name.
    if (isRenamed && document.activeElement === document.body) button.current?.focus()
  }, [isRenamed])
  return (
    <Tool
      ref={button}
      label={label}
      icon={<EditOutlined aria-hidden />}
      isPressed={isOpen}
      onClick={onToggle}
    />
  )
}

/** All formulas that use it follow. */
function KnobName({ name, onRenamed }: { name: string; onRenamed: (next: string) => void }) {
  const { t } = useTranslation('dripe-panels')
  const store = useEditorStore()
  const document = useEditor((state) => state.document)
  const rename = (next: string) => {
    onRenamed(next)
    store.getState().edit((before) => renameKnob(before, name, next))
  }
  return (
    <IdField
      label={t('knobs.newName', { name })}
      id={name}
      takenText={t('knobs.nameTaken')}
      isFree={(next) => renameKnob(document, name, next) !== document}
      onRename={rename}
      hasFocus
    />
  )
}
