import { useTranslation } from 'react-i18next'
import { canvasPath } from '../editor/paths.ts'
import { useEditor } from '../editor/use-editor.ts'
import panel from './panel.module.css'
import { ProblemCard } from './problem-card.tsx'
import styles from './problems.module.css'

/** The mistakes of one node, input or head, with their repairs, where one is looking anyway. */
export function NodeProblems({ path }: { path: string }) {
  const { t } = useTranslation('dripe-panels')
  const errors = useEditor(({ resolved }) => resolved.errors)
  const warnings = useEditor(({ resolved }) => resolved.warnings)
  const isHere = ({ node }: { node: string }) => {
    const at = canvasPath(node)
    return at === path || at.startsWith(`${path}.`)
  }
  const mistakes = errors.filter(isHere)
  const doubts = warnings.filter(isHere)
  if (mistakes.length + doubts.length === 0) return null
  return (
    <section className={panel.section} aria-label={t('inspector.problems')}>
      <ul className={styles.list}>
        {mistakes.map((problem, k) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two mistakes may say the same of one node
          <ProblemCard key={`${problem.code} ${k}`} kind="error" problem={problem} isHere />
        ))}
        {doubts.map((problem, k) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two doubts may say the same of one node
          <ProblemCard key={`${problem.code} ${k}`} kind="warning" problem={problem} isHere />
        ))}
      </ul>
    </section>
  )
}
