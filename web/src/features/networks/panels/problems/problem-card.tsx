import { CloseCircleFilled, WarningFilled } from '@ant-design/icons'
import type { ErrorCode, Problem, WarningCode } from '@neuroloom/contract/network/resolve/problems'
import { useTranslation } from 'react-i18next'
import { canvasPath } from '../../editor/paths.ts'
import { useEditorStore } from '../../editor/use-editor.ts'
import { FixButtons } from './fix-buttons.tsx'
import { useProblemText } from './problem-text.ts'
import styles from './problems.module.css'

type Props = {
  kind: 'error' | 'warning'
  problem: Problem<ErrorCode | WarningCode>
  /** Its place is being looked at already. */
  isHere?: boolean
}

/** One mistake or doubt: where it is, what it means, what repairs it. */
export function ProblemCard({ kind, problem, isHere = false }: Props) {
  const { t } = useTranslation('dripe-panels')
  const store = useEditorStore()
  const textOf = useProblemText()
  const path = placeOfProblem(problem.node)
  return (
    <li className={styles.card} data-kind={kind}>
      <span className={styles.icon}>
        {kind === 'error' ? <CloseCircleFilled aria-hidden /> : <WarningFilled aria-hidden />}
        <span className="nl-hidden">{t(`problems.${kind}`)}</span>
      </span>
      <div className={styles.text}>
        {isHere ? null : path === '' ? (
          <strong>{t('problems.network')}</strong>
        ) : (
          <button
            type="button"
            className={styles.place}
            title={t('problems.show', { name: path })}
            onClick={() => store.getState().reveal(path)}
          >
            {path}
          </button>
        )}
        <span>{textOf(problem)}</span>
        <FixButtons problem={problem} />
      </div>
    </li>
  )
}

/** The resolver tells nothing twice. */
export function keyOf({ node, code, port, data }: Problem<string>): string {
  return JSON.stringify([node, code, port, data])
}

/** What of it stands on the canvas: outlets of a head belong to the head. */
function placeOfProblem(node: string): string {
  return node.startsWith('heads.') ? node.split('.').slice(0, 2).join('.') : canvasPath(node)
}
