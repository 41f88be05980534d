import { modelHash } from '@neuroloom/contract/network/document/canonical'
import { setInfo } from '@neuroloom/contract/network/edit/frame'
import { Input } from 'antd'
import { useDeferredValue, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../../lib/format.ts'
import { useEditor, useEditorStore } from '../../editor/use-editor.ts'
import panel from '../panel.module.css'
import { Field } from './field.tsx'
import { TaskField } from './head-settings.tsx'
import styles from './inspector.module.css'
import { InspectorHead } from './inspector-head.tsx'
import { Knobs } from './knobs.tsx'
import { NetworkNameField } from './network-name-field.tsx'
import { NodeProblems } from './node-problems.tsx'
import { nextTurn } from './use-draft.ts'

/** The network as a whole: nothing in it is selected. */
export function NetworkSettings() {
  const { t } = useTranslation(['dripe-panels', 'tasks'])
  const store = useEditorStore()
  const document = useEditor((state) => state.document)
  const turn = useRef(0)
  const { task, about } = document
  return (
    <div className={panel.panel}>
      <InspectorHead
        title={t('network.title')}
        kind={t(`tasks:name.${task}`, { defaultValue: task })}
        help={t('network.help')}
      />
      <NodeProblems path="" />
      <section className={panel.section} aria-label={t('inspector.settings')} data-fields>
        <NetworkNameField />
        <TaskField
          value={task}
          onChange={(next) => store.getState().edit((before) => setInfo(before, { task: next }))}
        />
        <Field label={t('network.about')}>
          {(ids) => (
            <Input.TextArea
              {...ids}
              size="small"
              autoSize={{ minRows: 1, maxRows: 6 }}
              maxLength={2000}
              value={about ?? ''}
              onFocus={() => {
                turn.current = nextTurn()
              }}
              onChange={({ target }) =>
                store.getState().edit((before) => setInfo(before, { about: target.value }), {
                  merge: `about ${turn.current}`,
                })
              }
            />
          )}
        </Field>
      </section>
      <Knobs />
      <NetworkFacts />
    </div>
  )
}

function NetworkFacts() {
  const { t } = useTranslation('dripe-panels')
  const document = useEditor((state) => state.document)
  const vocabulary = useEditor((state) => state.vocabulary)
  const plan = useEditor(({ resolved }) => resolved.plan)
  const layers = useEditor(({ resolved }) => resolved.nodes.length)
  const settled = useDeferredValue(document)
  const hash = useMemo(() => modelHash(settled, vocabulary), [settled, vocabulary])
  return (
    <section className={panel.section} aria-label={t('network.facts')}>
      <h3 className={panel.heading}>{t('network.facts')}</h3>
      <dl className={panel.facts}>
        <dt>{t('network.nodes')}</dt>
        <dd>{formatNumber(document.nodes.size, 0)}</dd>
        <dt>{t('cost.layers')}</dt>
        <dd>{formatNumber(layers, 0)}</dd>
        <dt>{t('cost.parameters')}</dt>
        <dd>{plan === null ? '–' : formatNumber(plan.learn, 0)}</dd>
        <dt title={t('network.hashNote')}>{t('network.hash')}</dt>
        <dd>
          <code className={styles.hash}>{hash.slice(0, 12)}</code>
        </dd>
      </dl>
    </section>
  )
}
