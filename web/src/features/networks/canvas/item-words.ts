import type { Node, ParamValue } from '@neuroloom/contract/network/document'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { useEditor } from '../editor/use-editor.ts'
import { useWords, type Words } from '../panels/words.ts'
import type { Facts } from './facts.ts'
import type { Item } from './scene.ts'

/** Everything that is written on a card, and what a screen reader says of it. */
export function useItemWords(item: Item) {
  const { t } = useTranslation('dripe')
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
  return {
    category: item.node === null ? item.kind : category,
    title,
    name,
    settings: item.node === null ? '' : settingsOf(item.node, words),
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
      return t(`task.${task}`, { defaultValue: task })
    case 'port':
      return t('card.blockInput')
    default:
      return t('card.blockOutput')
  }
}

/** `main` of `heads.main`. */
const nameOf = ({ id, kind }: Item): string =>
  kind === 'head' || kind === 'outlet' ? id.slice(id.indexOf('.') + 1) : id

/** What differs from the defaults, as short as it can be read. */
function settingsOf({ op, params }: Node, words: Words): string {
  return [...params]
    .map(([name, value]) => `${words.setting(op, name)} ${valueText(value, words)}`)
    .join(' · ')
}

function valueText(value: ParamValue, words: Words): string {
  if (Array.isArray(value)) return value.join('×')
  return typeof value === 'string' && !value.startsWith('=') ? words.choice(value) : String(value)
}
