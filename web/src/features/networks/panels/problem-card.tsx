import { CloseCircleFilled, WarningFilled } from '@ant-design/icons'
import type { Problem } from '@neuroloom/contract/network/problems'
import { useTranslation } from 'react-i18next'
import { canvasPath } from '../editor/paths.ts'
import { useEditorStore } from '../editor/use-editor.ts'
import { useProblemText } from './problem-text.ts'
import styles from './problems.module.css'

type Props = {
  kind: 'error' | 'warning'
  problem: Problem<string>
  /** Its place is being looked at already. */
  isHere?: boolean
}

/** One mistake or doubt: where it is, what it means, what repairs it. */
export function ProblemCard({ kind, problem, isHere = false }: Props) {
  const { t } = useTranslation('dripe-panels')
  const store = useEditorStore()
  const textOf = useProblemText()
  const path = canvasPath(problem.node)
  return (
    <li className={styles.card} data-kind={kind}>
      <span className={styles.icon}>
        {kind === 'error' ? <CloseCircleFilled aria-hidden /> : <WarningFilled aria-hidden />}
        <span className="nl-hidden">{t(`problems.${kind}`)}</span>
      </span>
      <div className={styles.text}>
        {path === '' || isHere ? null : (
          <button type="button" className={styles.place} onClick={() => store.getState().reveal(path)}>
            {path}
          </button>
        )}
        <span>{textOf(problem)}</span>
      </div>
    </li>
  )
}
