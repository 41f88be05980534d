import type { Difference } from '@neuroloom/contract/network/document/diff'
import { useTranslation } from 'react-i18next'
import { useEditor } from '../../editor/use-editor.ts'
import { fieldSpecs } from '../settings/field-specs.ts'
import { writeTyped } from '../settings/typed-value.ts'
import { useWords } from '../words.ts'
import { type PlaceKind, placeOf } from './difference-place.ts'

/** What changed at one place, in the member's words: `Output channels: 32 → 48`. */
export function useChangeText(): (difference: Difference, change: string) => string {
  const { t } = useTranslation('dripe-panels')
  const words = useWords()
  const document = useEditor((state) => state.document)
  const vocabulary = useEditor((state) => state.vocabulary)
  const value = (key: string, written: string): string => {
    if (written === 'true') return t('field.on')
    if (written === 'false') return t('field.off')
    if (key === 'op') return words.title(written, document.blocks.get(written) ?? vocabulary.std.get(written))
    const list = listed[key]
    return list === undefined ? bare(written) : t(`${list}.${written}`, { defaultValue: written })
  }
  return ({ scope, id, changes }, change) => {
    const { kind: place } = placeOf(id)
    // A bare parameter has nothing but its value.
    const [, key, before, after] =
      form.exec(place === 'knob' && !form.test(change) ? `default: ${change}` : change) ?? []
    if (key === undefined || before === undefined || after === undefined) return change
    const told = (label: string, standard: string, textOf: (written: string) => string) => {
      const shown = (written: string) => textOf(written === unset ? standard : written)
      return `${label}: ${shown(before)} → ${shown(after)}`
    }
    const common = labels[place][key]
    if (common !== undefined)
      return told(t(common), standards[key] ?? unset, (written) => value(key, written))
    const nodes = scope === null ? document.nodes : document.blocks.get(scope)?.nodes
    const op = nodes?.get(id)?.op ?? ''
    const spec = fieldSpecs(op, document, vocabulary).find(({ name }) => name === key)
    const isChoice = spec?.kind === 'enum'
    // Another layer has other defaults, or has no such setting at all.
    const isSameLayer = spec !== undefined && !changes.some((one) => one.startsWith('op: '))
    const standard = isSameLayer && spec.default !== 'auto' ? writeTyped(spec.default) : unset
    return told(words.setting(op, key, spec?.title), standard, (written) =>
      isChoice ? words.choice(written) : value('', written),
    )
  }
}

const form = /^([a-z]\w*): (.*) → (.*)$/s

/** How a value is written that is not in the document. */
const unset = '–'
/** What holds then. */
const standards: Record<string, string> = {
  channels: '1',
  weight: '1',
  repeat: '1',
  off: 'false',
  role: 'none',
}

/** Lists and maps as people write them: `[64, 64]` as `64, 64`, `{cls: a}` as `cls: a`, nothing as a dash. */
function bare(written: string): string {
  if (!/^[[{]/.test(written)) return written
  const inner = written
    .slice(1, -1)
    .replaceAll('}, {', '; ')
    .replace(/^{|}$/g, '')
    .replace(/:(?=\S)/g, ': ')
  return inner === '' ? unset : inner
}

/** What is no setting of a layer; what stands in neither has its word among the settings. */
const labels: Record<PlaceKind, Record<string, string>> = {
  input: { name: 'frame.name', kind: 'input.kindLabel', channels: 'input.channels' },
  head: {
    name: 'frame.name',
    task: 'network.task',
    style: 'head.style',
    from: 'head.sources',
    weight: 'head.weight',
  },
  knob: {
    name: 'frame.name',
    default: 'difference.value',
    type: 'input.kindLabel',
    role: 'difference.role',
    title: 'difference.title',
  },
  block: { inputs: 'difference.inputs', outputs: 'difference.outputs' },
  node: {
    name: 'frame.name',
    op: 'inspector.layer',
    in: 'inputs.title',
    repeat: 'frame.repeat',
    share: 'frame.share',
    off: 'frame.off',
  },
}

/** Where values of these have their words. */
const listed: Record<string, string> = {
  kind: 'input.kind',
  task: 'task',
  role: 'role',
  type: 'difference.type',
}
