import type { DocumentProblem } from '@neuroloom/contract/network/resolve/problems'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { useProblemText } from '../problems/problem-text.ts'
import styles from './code.module.css'

/** Mistakes told at a time; the rest is marked at its lines. */
const shown = 3

type Props = { problems: readonly DocumentProblem[]; onGiveUp: () => void }

/** The typed text cannot be read: what is wrong where, and the way back. */
export function UnreadText({ problems, onGiveUp }: Props) {
  const { t } = useTranslation('dripe-panels')
  const textOf = useProblemText()
  return (
    <div className={styles.message} role="alert">
      <span>{t('code.unread')}</span>
      <ul>
        {problems.slice(0, shown).map((problem) => (
          <li key={`${problem.line} ${problem.column} ${problem.code} ${problem.path}`}>
            {problem.line === null ? null : (
              <span className={styles.line}>{t('code.line', { line: problem.line })} </span>
            )}
            {textOf(problem)}
          </li>
        ))}
      </ul>
      <Button size="small" onClick={onGiveUp}>
        {t('code.giveUp')}
      </Button>
    </div>
  )
}
