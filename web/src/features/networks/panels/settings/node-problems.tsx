import { useTranslation } from 'react-i18next'
import { canvasPath } from '../../editor/paths.ts'
import { useEditor } from '../../editor/use-editor.ts'
import panel from '../panel.module.css'
import { keyOf, ProblemCard } from '../problems/problem-card.tsx'
import styles from '../problems/problems.module.css'

/** The mistakes of one node, input or head, with their repairs, where one is looking anyway. */
export function NodeProblems({ path }: { path: string }) {
  const { t } = useTranslation('dripe-panels')
  const errors = useEditor(({ resolved }) => resolved.errors)
  const warnings = useEditor(({ resolved }) => resolved.warnings)
  /** Also inside a block: its settings are the likely cause. */
  const isHere = ({ node }: { node: string }) => {
    const at = canvasPath(node)
    return at === path || (path !== '' && (at.startsWith(`${path}.`) || at.startsWith(`${path}/`)))
  }
  const mistakes = errors.filter(isHere)
  const doubts = warnings.filter(isHere)
  if (mistakes.length + doubts.length === 0) return null
  return (
    <section className={panel.section} aria-label={t('inspector.problems')}>
      <ul className={styles.list}>
        {mistakes.map((problem) => (
          <ProblemCard
            key={keyOf(problem)}
            kind="error"
            problem={problem}
            isHere={!isInside(problem, path)}
          />
        ))}
        {doubts.map((problem) => (
          <ProblemCard
            key={keyOf(problem)}
            kind="warning"
            problem={problem}
            isHere={!isInside(problem, path)}
          />
        ))}
      </ul>
    </section>
  )
}

function isInside({ node }: { node: string }, path: string): boolean {
  return canvasPath(node).startsWith(`${path}/`)
}
