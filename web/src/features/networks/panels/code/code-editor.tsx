import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { bracketMatching, indentOnInput, syntaxHighlighting } from '@codemirror/language'
import { lintGutter, setDiagnostics } from '@codemirror/lint'
import { EditorState, type Extension, Transaction } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from '@codemirror/view'
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { whenIdle } from '../../../../lib/quiet.ts'
import { colours, look, markedLines, markLines } from './code-look.ts'
import { changeBetween, type Mark, toDiagnostics } from './code-marks.ts'
import { addSearch, searchKey } from './code-search-later.ts'

export type CodeProps = {
  value: string
  label: string
  isReadOnly?: boolean
  marks?: readonly Mark[]
  /** Lines of what is selected on the canvas. */
  lines?: { line: number; endLine: number } | null
  onType?: (text: string) => void
  /** The cursor was put somewhere by the member. */
  onCursor?: (offset: number) => void
}

/** `grammar`: a constant, or the editor would begin anew. */
type Props = CodeProps & { grammar: Extension }

/** A text with line numbers, colours and marks. What it means is no affair of its. */
export function CodeEditor({ value, marks = noMarks, lines = null, ...props }: Props) {
  const holder = useRef<HTMLDivElement>(null)
  const view = useView(holder, value, props)

  useLayoutEffect(() => {
    const change = view.current === null ? null : changeBetween(view.current.state.doc.toString(), value)
    if (change === null) return
    view.current?.dispatch({
      changes: change,
      annotations: Transaction.addToHistory.of(false),
      userEvent: outside,
    })
  }, [view, value])

  useEffect(() => {
    const { current } = view
    if (current !== null)
      current.dispatch(setDiagnostics(current.state, toDiagnostics(current.state.doc, marks)))
  }, [view, marks])

  useEffect(() => {
    const { current } = view
    if (current === null) return
    const { doc } = current.state
    const isThere = lines !== null && lines.line <= doc.lines
    current.dispatch({
      effects: [
        markLines.of(isThere ? lines : null),
        ...(isThere && !current.hasFocus
          ? [EditorView.scrollIntoView(doc.line(lines.line).from, { y: 'nearest', yMargin: 40 })]
          : []),
      ],
    })
  }, [view, lines])

  return <div ref={holder} />
}

const noMarks: readonly Mark[] = []
const outside = 'outside'

function useView(
  holder: RefObject<HTMLDivElement | null>,
  value: string,
  { grammar, label, isReadOnly = false, onType, onCursor }: Omit<Props, 'value' | 'marks' | 'lines'>,
): RefObject<EditorView | null> {
  const view = useRef<EditorView | null>(null)
  const latest = useRef({ onType, onCursor })
  latest.current = { onType, onCursor }
  const first = useRef(value)

  useLayoutEffect(() => {
    if (holder.current === null) return
    const listener = EditorView.updateListener.of(({ docChanged, selectionSet, state, transactions }) => {
      const isOurs = transactions.some((transaction) => transaction.isUserEvent(outside))
      if (isOurs) return
      if (docChanged) latest.current.onType?.(state.doc.toString())
      else if (selectionSet) latest.current.onCursor?.(state.selection.main.head)
    })
    const made = new EditorView({
      parent: holder.current,
      state: EditorState.create({
        doc: first.current,
        extensions: [...extensionsOf({ grammar, label, isReadOnly }), listener],
      }),
    })
    view.current = made
    const cancel = whenIdle(() => addSearch(made))
    return () => {
      cancel()
      first.current = made.state.doc.toString()
      made.destroy()
      view.current = null
    }
  }, [holder, grammar, label, isReadOnly])

  return view
}

function extensionsOf({
  grammar,
  label,
  isReadOnly,
}: Pick<Props, 'grammar' | 'label'> & { isReadOnly: boolean }): Extension[] {
  return [
    lineNumbers(),
    lintGutter(),
    highlightActiveLineGutter(),
    highlightActiveLine(),
    drawSelection(),
    history(),
    indentOnInput(),
    bracketMatching(),
    // Tab leaves the text: whoever has no mouse must get out again.
    keymap.of([...defaultKeymap, ...historyKeymap, searchKey]),
    grammar,
    syntaxHighlighting(colours),
    markedLines,
    look,
    EditorState.readOnly.of(isReadOnly),
    EditorState.tabSize.of(2),
    EditorView.contentAttributes.of({
      'aria-label': label,
      spellcheck: 'false',
      autocapitalize: 'off',
      // A text that scrolls is reached with the Tab key, also where it can only be read.
      tabindex: '0',
    }),
  ]
}
