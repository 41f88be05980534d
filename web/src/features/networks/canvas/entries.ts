/** Everything that can be put on the canvas, with the words by which it is found. */
import type { Block, Document } from '@neuroloom/contract/network/document/document'
import type { Library } from '@neuroloom/contract/network/library'
import type { Insert } from '../editor/inserting.ts'
import type { Findable } from './search.ts'

export interface Entry extends Insert, Findable {
  /** Unique among all entries. */
  id: string
  /** Of the catalogue, or `own`, `library`, `template`. */
  group: string
  category: string
  help: string
}

/** Texts of one language: nested, as the locale file is written. */
export type LayerTexts = Readonly<Record<string, unknown>>

export const groups = [
  'own',
  'conv',
  'linear',
  'pool',
  'norm',
  'activation',
  'regular',
  'merge',
  'shape',
  'token',
  'library',
  'template',
] as const

interface Sources {
  library: Library
  /** Blocks of this network. */
  own: ReadonlyMap<string, Block>
  /** In the member's language first. */
  texts: readonly LayerTexts[]
}

export function entriesOf({ library, own, texts }: Sources): Entry[] {
  const words = (kind: 'op' | 'block', name: string) => [
    name.replaceAll('_', ' '),
    ...texts.flatMap((one) => [textAt(one, [kind, name, 'title']), textAt(one, [kind, name, 'words'])]),
  ]
  const make = (kind: 'op' | 'block', op: string, title: string | undefined, group: string): Entry => ({
    id: `${group}:${op}`,
    op,
    brings: null,
    group,
    category: kind === 'op' ? group : 'block',
    title: title ?? (textAt(texts[0] ?? {}, [kind, op, 'title']) || op),
    help: textAt(texts[0] ?? {}, [kind, op, 'help']),
    words: [...words(kind, op), title ?? ''].filter(Boolean),
  })
  return [
    ...[...own].map(([name, { title }]) => make('block', name, title ?? name, 'own')),
    ...[...library.catalogue].map(([op, { cat }]) => make('op', op, undefined, cat)),
    ...[...library.std.keys()].map((name) => make('block', name, undefined, 'library')),
    ...[...library.networks].flatMap(([id, document]) => templateBlocks(id, document, make)),
  ]
}

type Make = (kind: 'block', op: string, title: string | undefined, group: string) => Entry

function templateBlocks(network: string, { blocks }: Document, make: Make): Entry[] {
  return [...blocks].map(([name, { title, about }]) => {
    const entry = make('block', name, title ?? `${name} (${network})`, 'template')
    const help = about ?? ''
    return {
      ...entry,
      id: `template:${network}:${name}`,
      brings: blocks,
      help,
      words: [...entry.words, network],
    }
  })
}

function textAt(texts: unknown, path: readonly string[]): string {
  let at = texts
  for (const step of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, step)) return ''
    at = Reflect.get(at, step)
  }
  return typeof at === 'string' ? at : ''
}
