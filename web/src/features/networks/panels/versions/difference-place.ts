import type { Difference } from '@neuroloom/contract/network/document/diff'
import type { Document } from '@neuroloom/contract/network/document/document'
import { useTranslation } from 'react-i18next'
import { useEditor } from '../../editor/use-editor.ts'
import { useWords } from '../words.ts'

export type PlaceKind = 'input' | 'head' | 'knob' | 'block' | 'node'

/** What stands at a place of a difference, and its own name there. */
export function placeOf(id: string): { kind: PlaceKind; name: string } {
  if (id === '') return { kind: 'block', name: '' }
  if (id.startsWith('@')) return { kind: 'input', name: id.slice('@'.length) }
  if (id.startsWith('heads.')) return { kind: 'head', name: id.slice('heads.'.length) }
  if (id.startsWith('params.')) return { kind: 'knob', name: id.slice('params.'.length) }
  return { kind: 'node', name: id }
}

/** Where something changed, in the member's words: `Value for formulas “Width (width)”`. */
export function usePlaceText(): (difference: Pick<Difference, 'scope' | 'id'>) => string {
  const { t } = useTranslation('dripe-panels')
  const words = useWords()
  const document = useEditor((state) => state.document)
  return ({ scope, id }) => {
    const { kind, name } = placeOf(id)
    const own = () => {
      if (kind === 'block') return ''
      if (kind === 'node') return name
      if (kind !== 'knob') return t(`difference.place.${kind}`, { name })
      const title = titleOf(document, scope, name)
      const word = words.setting('', name, title)
      const told = word === name ? name : t('difference.named', { word, name })
      return t(scope === null ? 'difference.place.knob' : 'difference.place.setting', { name: told })
    }
    if (scope === null) return own()
    const block = t('difference.place.block', { name: document.blocks.get(scope)?.title ?? scope })
    return [block, own()].filter((part) => part !== '').join(' / ')
  }
}

function titleOf(document: Document, scope: string | null, name: string): string | undefined {
  const params = scope === null ? document.params : document.blocks.get(scope)?.params
  return params?.get(name)?.title
}
