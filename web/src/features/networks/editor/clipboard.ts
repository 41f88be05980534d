/** Copy, cut and paste as YAML text on the real clipboard: between networks, and into any text. */
import { copyFragment, pasteFragment } from '@neuroloom/contract/network/document/fragment'
import { cardSize } from '../canvas/geometry.ts'
import { pathIn } from '../canvas/scene.ts'
import { withNew } from './arranging.ts'
import { chosenIn, isNode, onlyOne, scopeOf } from './chosen.ts'
import { focusOn, refuseReadOnly, remove } from './commands.ts'
import { refuse, tell } from './tell.ts'
import type { Workbench } from './workbench.ts'

/** null: nothing that could be copied is chosen. */
export function copied(bench: Workbench): string | null {
  const { document, vocabulary } = bench.store.getState()
  const [group, ...others] = chosenIn(bench)
  const ids = (group?.items ?? []).filter(isNode).map(({ id }) => id)
  if (group === undefined || ids.length === 0) {
    refuseReadOnly(bench)
    return null
  }
  if (others.length > 0) {
    refuse(bench, 'group.graphs')
    return null
  }
  const text = copyFragment(document, group.scope, ids, vocabulary)
  tell(bench, 'copiedText', { count: ids.length })
  return text
}

export function cut(bench: Workbench): string | null {
  const text = copied(bench)
  if (text !== null) remove(bench)
  return text
}

/** Into the graph of what is chosen. */
export function paste(bench: Workbench, text: string): void {
  const { store, scene } = bench
  const { document, vocabulary, edit } = store.getState()
  const item = onlyOne(bench)
  const parent = item?.parent ?? ''
  const scope = scopeOf(store.getState(), parent)
  if (scope === undefined) {
    refuse(bench, 'readOnly')
    return
  }
  const result = pasteFragment(document, scope, text, vocabulary)
  if ('problems' in result || result.ids.length === 0) {
    refuse(bench, 'noFragment')
    return
  }
  const paths = result.ids.map((id) => pathIn(parent, id))
  edit(() => result.document, {
    arrange: (layout) =>
      paths
        .slice(0, 1)
        .reduce(
          (rest, path) =>
            withNew(rest, scene, { path, parent, size: cardSize(1, false), source: item, isBetween: false }),
          layout,
        ),
  })
  focusOn(bench, paths)
  tell(bench, 'pasted', { count: paths.length })
}

/** For menus: the events of the keyboard bring the text along, a menu has to ask the browser. */
export async function copyByMenu(bench: Workbench, isCut: boolean): Promise<void> {
  const text = isCut ? cut(bench) : copied(bench)
  if (text === null) return
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    refuse(bench, 'clipboard')
  }
}

export async function pasteByMenu(bench: Workbench): Promise<void> {
  try {
    paste(bench, await navigator.clipboard.readText())
  } catch {
    refuse(bench, 'clipboard')
  }
}
