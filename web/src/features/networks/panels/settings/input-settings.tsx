import type { DocumentInput, ParamValue } from '@neuroloom/contract/network/document/document'
import { renameInput, setInput } from '@neuroloom/contract/network/edit/frame'
import { isFreeName } from '@neuroloom/contract/network/edit/names'
import { Select } from 'antd'
import { useTranslation } from 'react-i18next'
import { renamed } from '../../editor/arranging.ts'
import { useEditor, useEditorStore } from '../../editor/use-editor.ts'
import panel from '../panel.module.css'
import { AllowedSizesNote } from './allowed-sizes-note.tsx'
import { axisKey } from './axis-value.tsx'
import { checkWhole } from './check-value.ts'
import { Field } from './field.tsx'
import { InspectorHead } from './inspector-head.tsx'
import { IdField } from './name-field.tsx'
import { NodeProblems } from './node-problems.tsx'
import { TextValue } from './text-value.tsx'
import { nextTurn } from './use-draft.ts'
import { useTopScope } from './use-frame.ts'

const kinds = ['image', 'volume', 'signal', 'vec', 'seq'] as const
type Kind = (typeof kinds)[number]
/** Axes of each kind, with a size to begin with. */
const firstSizes: Record<Kind, number[] | undefined> = {
  image: [256, 256],
  volume: [64, 64, 64],
  signal: [1024],
  vec: undefined,
  seq: [128],
}
/** As many numbers as an input may have on one axis. */
const largest = 2 ** 24

/** What the network is given: kind of data, channels, size. */
export function InputSettings({ name }: { name: string }) {
  const { t } = useTranslation('dripe-panels')
  const store = useEditorStore()
  const document = useEditor((state) => state.document)
  const data = useEditor((state) => state.data)
  const frame = useTopScope()
  const input = document.inputs.get(name)
  if (input === undefined) return null
  const change = (next: Partial<DocumentInput>, key: string, turn: number) =>
    store
      .getState()
      .edit((before) => setInput(before, name, { ...input, ...next }), { merge: `@${name} ${key} ${turn}` })
  const check = (value: ParamValue) => checkWhole('channels', value, { frame, least: 1, most: largest })
  return (
    <div className={panel.panel}>
      <InspectorHead title={t('input.title')} kind={t(`input.kind.${input.kind}`)} help={t('input.help')} />
      <NodeProblems path={`@${name}`} />
      <section className={panel.section} aria-label={t('inspector.settings')} data-fields>
        <Field label={t('input.kindLabel')}>
          {(ids) => (
            <Select
              {...ids}
              size="small"
              value={input.kind}
              options={kinds.map((kind) => ({ value: kind, label: t(`input.kind.${kind}`) }))}
              onChange={(kind) => change({ kind, size: firstSizes[kind] }, 'kind', nextTurn())}
            />
          )}
        </Field>
        <TextValue
          label={t('input.channels')}
          kind="int"
          value={input.channels}
          isOptional={false}
          note={data === null ? t('input.channelsNote') : t('input.bound', { name: data.name })}
          check={check}
          onChange={(value, turn) =>
            value !== undefined && change({ channels: ruleOf(value) }, 'channels', turn)
          }
        />
        {input.size?.map((value, k) => (
          <TextValue
            // biome-ignore lint/suspicious/noArrayIndexKey: axes have no other name than their place
            key={k}
            label={t(input.kind === 'seq' ? 'axis.tokens' : axisKey(k, input.size?.length ?? 1))}
            kind="int"
            value={value}
            isOptional={false}
            check={check}
            onChange={(next, turn) =>
              next !== undefined &&
              change(
                { size: (input.size ?? []).map((old, at) => (at === k ? ruleOf(next) : old)) },
                `size${k}`,
                turn,
              )
            }
          />
        ))}
        <IdField
          label={t('frame.name')}
          id={name}
          isFree={(next) => isFreeName(document, null, next)}
          onRename={(next) =>
            store.getState().edit((before) => renameInput(before, name, next), {
              arrange: (layout) => renamed(layout, `@${name}`, `@${next}`),
              select: [`@${next}`],
            })
          }
        />
      </section>
      {input.kind === 'image' || input.kind === 'volume' || input.kind === 'signal' ? (
        <AllowedSizesNote name={name} />
      ) : null}
    </div>
  )
}

/** A field of whole numbers gives numbers and formulas only. */
const ruleOf = (value: ParamValue): number | string => (typeof value === 'number' ? value : String(value))
