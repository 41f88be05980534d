import { python } from '@codemirror/lang-python'
import { CodeEditor, type CodeProps } from './code-editor.tsx'

const grammar = python()

export function PythonEditor(props: CodeProps) {
  return <CodeEditor {...props} grammar={grammar} />
}
