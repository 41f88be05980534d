import { CheckCircleOutlined } from '@ant-design/icons'
import type { ErrorCode, Problem, WarningCode } from '@neuroloom/contract/network/resolve/problems'
import { useTranslation } from 'react-i18next'
import { useEditor } from '../../editor/use-editor.ts'
import panel from '../panel.module.css'
import { keyOf, ProblemCard } from './problem-card.tsx'
import styles from './problems.module.css'

/** All mistakes and doubts about the network in plain words; each leads to its place. */
export function ProblemsTab() {
  const { t } = useTranslation('dripe-panels')
  const errors = useEditor(({ resolved }) => resolved.errors)
  const warnings = useEditor(({ resolved }) => resolved.warnings)
  if (errors.length + warnings.length === 0) {
    return (
      <div className={panel.quiet}>
        <CheckCircleOutlined className={panel.quietIcon} aria-hidden />
        <strong>{t('problems.none')}</strong>
        <span>{t('problems.noneText')}</span>
      </div>
    )
  }
  return (
    <div className={panel.panel}>
      <ProblemList kind="error" problems={errors} />
      <ProblemList kind="warning" problems={warnings} />
    </div>
  )
}

function ProblemList({
  kind,
  problems,
}: {
  kind: 'error' | 'warning'
  problems: readonly Problem<ErrorCode | WarningCode>[]
}) {
  const { t } = useTranslation('dripe-panels')
  if (problems.length === 0) return null
  return (
    <section className={panel.section}>
      <h3 className={panel.heading}>{t(`problems.${kind}s`, { count: problems.length })}</h3>
      <ul className={styles.list}>
        {problems.map((problem) => (
          <ProblemCard key={keyOf(problem)} kind={kind} problem={problem} />
        ))}
      </ul>
    </section>
  )
}
