/** What finding in a text brings along. */
import { highlightSelectionMatches, openSearchPanel, search, searchKeymap } from '@codemirror/search'
import { Prec, StateEffect } from '@codemirror/state'
import { type EditorView, keymap } from '@codemirror/view'

export { openSearchPanel }

export function extendWithSearch(view: EditorView): void {
  view.dispatch({
    effects: StateEffect.appendConfig.of([
      highlightSelectionMatches(),
      search({ top: true }),
      Prec.high(keymap.of(searchKeymap)),
    ]),
  })
}
