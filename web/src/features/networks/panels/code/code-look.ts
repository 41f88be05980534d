/** Colours of the text editor, all from the product's theme. */
import { HighlightStyle } from '@codemirror/language'
import { StateEffect, StateField } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

export const colours = HighlightStyle.define([
  {
    tag: [tags.propertyName, tags.definition(tags.propertyName), tags.attributeName],
    color: 'var(--nl-primary)',
  },
  {
    tag: [tags.keyword, tags.operatorKeyword, tags.self],
    color: 'var(--nl-primary-strong)',
    fontWeight: '600',
  },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--nl-success)' },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: 'var(--nl-warning)' },
  { tag: [tags.comment, tags.meta], color: 'var(--nl-ink-faint)', fontStyle: 'italic' },
  {
    tag: [tags.function(tags.variableName), tags.className, tags.definition(tags.className)],
    color: 'var(--nl-primary-bright)',
  },
])

export const look = EditorView.theme({
  '&': { height: '100%', fontSize: '13px', color: 'var(--nl-ink)', backgroundColor: 'var(--nl-surface)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--nl-mono)', lineHeight: '1.6', overflow: 'auto' },
  '.cm-gutters': {
    border: 'none',
    backgroundColor: 'var(--nl-canvas)',
    color: 'var(--nl-ink-faint)',
  },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'transparent' },
  '&.cm-focused .cm-activeLine': { backgroundColor: 'var(--nl-primary-wash)' },
  '.cm-chosen': { backgroundColor: 'var(--nl-primary-soft)' },
  '.cm-tooltip': {
    maxWidth: '420px',
    border: '1px solid var(--nl-line)',
    borderRadius: 'var(--nl-radius-s)',
    backgroundColor: 'var(--nl-surface)',
    boxShadow: 'var(--nl-shadow-2)',
    fontFamily: 'var(--nl-font)',
  },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--nl-danger)' },
  '.cm-diagnostic-warning': { borderLeftColor: 'var(--nl-warning)' },
  '.cm-panels': { backgroundColor: 'var(--nl-canvas)', color: 'var(--nl-ink)' },
})

type Lines = { line: number; endLine: number } | null
export const markLines = StateEffect.define<Lines>()
const chosen = Decoration.line({ class: 'cm-chosen' })

/** The lines of what is selected on the canvas. */
export const markedLines = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marked, transaction) {
    let next = marked.map(transaction.changes)
    for (const effect of transaction.effects) {
      if (!effect.is(markLines)) continue
      const { doc } = transaction.state
      const { line, endLine } = effect.value ?? { line: 1, endLine: 0 }
      const count = Math.max(0, Math.min(endLine, doc.lines) - line + 1)
      const lines = Array.from({ length: count }, (_, k) => chosen.range(doc.line(line + k).from))
      next = Decoration.set(lines)
    }
    return next
  },
  provide: (field) => EditorView.decorations.from(field),
})
