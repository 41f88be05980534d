import type { DocumentProblem } from '@neuroloom/contract/network/resolve/problems'
import { lineOf } from '@neuroloom/contract/network/yaml/patch'
import { useMemo } from 'react'
import { useEditor } from '../../editor/use-editor.ts'
import { useProblemText } from '../problems/problem-text.ts'
import type { Mark } from './code-marks.ts'

/** Mistakes at their lines: of the text while it cannot be read, else of the network. */
export function useYamlMarks(text: string, problems: readonly DocumentProblem[]): Mark[] {
  const textOf = useProblemText()
  const errors = useEditor(({ resolved }) => resolved.errors)
  const warnings = useEditor(({ resolved }) => resolved.warnings)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the words change with the language, which draws all anew
  return useMemo(() => {
    if (problems.length > 0) {
      return problems.map((problem): Mark => {
        const line = problem.line ?? 1
        return { line, column: problem.column, endLine: line, severity: 'error', message: textOf(problem) }
      })
    }
    const at =
      (severity: Mark['severity']) => (problem: (typeof errors)[number] | (typeof warnings)[number]) => {
        const place = lineOf(text, problem.node)
        if (place === null) return []
        const { line, column, endLine } = place
        return [{ line, column, endLine, severity, message: textOf(problem) }]
      }
    return [...errors.flatMap(at('error')), ...warnings.flatMap(at('warning'))]
  }, [text, problems, errors, warnings])
}
