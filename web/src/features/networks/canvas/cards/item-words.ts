import type { Node, ParamValue } from '@neuroloom/contract/network/document/document'
import type { Value } from '@neuroloom/contract/network/resolve/expr'
import type { TFunction } from 'i18next'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { nameOf } from '../../editor/chosen.ts'
import { useEditor } from '../../editor/use-editor.ts'
import { useWords, type Words } from '../../panels/words.ts'
import type { Facts } from '../facts.ts'
import type { Item } from '../things.ts'
import { useValues } from '../use-values.ts'
import { shownSettings } from './main-numbers.ts'

/** Everything that is written on a card, and what a screen reader says of it. */
export function useItemWords(item: Item) {
  const { t } = useTranslation(['dripe', 'tasks'])
  const words = useWords()
  const op = item.node?.op ?? ''
  const block = useEditor(
    ({ document, vocabulary }) => document.blocks.get(op) ?? vocabulary.std.get(op) ?? null,
  )
  const category = useEditor(({ vocabulary }) => vocabulary.catalogue.get(op)?.cat ?? 'block')
  const task = useEditor(({ document }) =>
    item.kind === 'head' ? (document.heads.get(nameOf(item))?.task ?? '') : '',
  )
  const title = item.node === null ? endTitle(item, task, t) : words.title(op, block)
  const name = nameOf(item)
  const values = useValues(item)
  const vocabulary = useEditor((state) => state.vocabulary)
  const { node } = item
  const shown = useMemo(
    () => (node === null ? new Map() : shownSettings(node, block, vocabulary)),
    [node, block, vocabulary],
  )
  return {
    category: item.node === null ? item.kind : category,
    title,
    name,
    settings: item.node === null ? '' : shortSettings(item.node.op, shown, values, { words, t }),
    /** The same in full, with formulas. */
    settingsHint: item.node === null ? '' : fullSettings(item.node, values, { words, t }),
    /** `×3`; '' where it is not repeated. */
    times: timesOf(item.node?.repeat, values),
    label: (facts: Facts) =>
      [
        `${title} ${name}`,
        facts.shape,
        item.node?.repeat === undefined ? '' : t('card.repeated', { times: String(item.node.repeat) }),
        item.node?.off === true ? t('card.off') : '',
        item.kind === 'block' ? t('card.folded') : '',
        item.kind === 'frame' ? t('card.opened') : '',
        facts.mistakes > 0 ? t('card.mistakes', { count: facts.mistakes }) : '',
        facts.warnings > 0 ? t('card.warnings', { count: facts.warnings }) : '',
      ]
        .filter(Boolean)
        .join(', '),
  }
}

function endTitle({ kind }: Item, task: string, t: TFunction<'dripe'>): string {
  switch (kind) {
    case 'input':
      return t('card.input')
    case 'head':
      return t(`tasks:name.${task}`, { defaultValue: task })
    case 'port':
      return t('card.blockInput')
    default:
      return t('card.blockOutput')
  }
}

type Language = { words: Words; t: TFunction<'dripe'> }
type Values = ReadonlyMap<string, Value>

/** As short as it can be read: formulas as what they come to. */
function shortSettings(
  op: string,
  shown: ReadonlyMap<string, ParamValue>,
  values: Values,
  { words, t }: Language,
): string {
  return [...shown]
    .map(([name, written]) => {
      const full = words.setting(op, name)
      // A layer that calls it otherwise than the others has no short form of that.
      const brief = full === words.setting('', name) ? t(`short.${name}`, { defaultValue: full }) : full
      return `${brief} ${valueText(values.get(name) ?? written, { words, t })}`
    })
    .join(' · ')
}

function fullSettings({ op, params }: Node, values: Values, { words, t }: Language): string {
  return [...params]
    .map(([name, written]) => {
      const value = values.get(name)
      const formula = `${words.setting(op, name)}: ${valueText(written, { words, t })}`
      return value === undefined ? formula : `${formula} → ${valueText(value, { words, t })}`
    })
    .join('\n')
}

function timesOf(repeat: Node['repeat'], values: Values): string {
  const times = values.get('repeat') ?? repeat
  if (times === undefined) return ''
  return typeof times === 'number' ? `×${times}` : '×n'
}

function valueText(value: Value, { words, t }: Language): string {
  if (Array.isArray(value)) return value.join('×')
  if (typeof value === 'boolean') return t(value ? 'short.yes' : 'short.no')
  return typeof value === 'string' && !value.startsWith('=') ? words.choice(value) : String(value)
}
