import { yaml } from '@codemirror/lang-yaml'
import { CodeEditor, type CodeProps } from './code-editor.tsx'

const grammar = yaml()

export function YamlEditor(props: CodeProps) {
  return <CodeEditor {...props} grammar={grammar} />
}
