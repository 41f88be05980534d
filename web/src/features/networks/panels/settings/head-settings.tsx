import type { Head } from '@neuroloom/contract/network/document/document'
import { connectHead, setHead } from '@neuroloom/contract/network/edit/frame'
import { headOutlets } from '@neuroloom/contract/network/resolve/heads'
import { templateTasks } from '@neuroloom/contract/network/template-tasks'
import { Select } from 'antd'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { useEditor, useEditorStore } from '../../editor/use-editor.ts'
import panel from '../panel.module.css'
import { checkNumber } from './check-value.ts'
import { Field } from './field.tsx'
import styles from './inspector.module.css'
import { InspectorHead } from './inspector-head.tsx'
import { NodeProblems } from './node-problems.tsx'
import { SourceSelect } from './source-select.tsx'
import { TextValue } from './text-value.tsx'
import { nextTurn } from './use-draft.ts'

/** A result of the network: for which task, from which layer, how much it counts. */
export function HeadSettings({ name }: { name: string }) {
  const { t } = useTranslation('dripe-panels')
  const store = useEditorStore()
  const head = useEditor(({ document }) => document.heads.get(name))
  if (head === undefined) return null
  const change = (next: Partial<Head>, key: string, turn: number) =>
    store
      .getState()
      .edit((before) => setHead(before, name, { ...head, ...next }), { merge: `head ${name} ${key} ${turn}` })
  return (
    <div className={panel.panel}>
      <InspectorHead title={t('head.title')} kind={name} help={t('head.help')} />
      <NodeProblems path={`heads.${name}`} />
      <section className={panel.section} aria-label={t('inspector.settings')} data-fields>
        <TaskField value={head.task} onChange={(task) => change({ task }, 'task', nextTurn())} />
        {head.style === undefined ? null : (
          <Field label={t('head.style')}>{(ids) => <output {...ids}>{head.style}</output>}</Field>
        )}
        <TextValue
          label={t('head.weight')}
          kind="float"
          value={head.weight}
          placeholder="1"
          note={t('head.weightNote')}
          check={(value) => checkNumber('weight', value, { least: 0, most: 1000 })}
          onChange={(value, turn) =>
            change({ weight: typeof value === 'number' ? value : undefined }, 'weight', turn)
          }
        />
      </section>
      <Outlets name={name} head={head} />
    </div>
  )
}

type TaskFieldProps = { value: string; onChange: (task: string) => void }

export function TaskField({ value, onChange }: TaskFieldProps) {
  const { t } = useTranslation(['dripe-panels', 'tasks'])
  const known: readonly string[] = templateTasks
  const names = known.includes(value) ? known : [value, ...known]
  return (
    <Field label={t('network.task')}>
      {(ids) => (
        <Select
          {...ids}
          size="small"
          value={value}
          options={names.map((task) => ({
            value: task,
            label: t(`tasks:name.${task}`, { defaultValue: task }),
          }))}
          onChange={onChange}
        />
      )}
    </Field>
  )
}

function Outlets({ name, head }: { name: string; head: Head }) {
  const { t } = useTranslation('dripe-panels')
  const outlets = headOutlets(head)
  const shown = outlets.length === 0 ? [{ outlet: '', ref: null }] : outlets
  return (
    <section className={panel.section} aria-label={t('head.sources')}>
      <h3 className={panel.heading}>{t('head.sources')}</h3>
      <ul className={styles.inputs}>
        {shown.map(({ outlet, ref }) => (
          <OutletSource key={outlet} head={name} outlet={outlet} source={ref} />
        ))}
      </ul>
    </section>
  )
}

type OutletProps = { head: string; outlet: string; source: string | null }

function OutletSource({ head, outlet, source }: OutletProps) {
  const { t } = useTranslation('dripe-panels')
  const id = useId()
  const store = useEditorStore()
  return (
    <li className={styles.input}>
      <span id={id} className={styles.port}>
        {outlet === '' ? t('head.source') : outlet}
      </span>
      <div className={styles.source}>
        <SourceSelect
          labelledBy={id}
          scope={null}
          around=""
          target={null}
          value={source}
          onChoose={(next) =>
            store.getState().edit((before) => connectHead(before, { head, outlet, source: next }))
          }
        />
      </div>
    </li>
  )
}
