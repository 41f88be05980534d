import { askedOf } from '@neuroloom/contract/statement-names'
import { Button, Progress } from 'antd'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { useCall } from '../../../lib/query.ts'
import { Question } from './question.tsx'
import styles from './statements.module.css'

/** `ask` in the address: the question that is asked first, or any word to see them all. */
const ASK = 'ask'

/** What only people know of a study, asked of whoever may edit the project. */
export function StatementsPanel({ projectId }: { projectId: string }) {
  const { t } = useTranslation('statements')
  const [search, setSearch] = useSearchParams()
  const project = useCall('projects/detail', { id: projectId }, { quiet: true })
  const mayWrite = project.data !== undefined && project.data.access !== 'view'
  const said = useCall('projects/statements', { id: projectId }, { quiet: true, enabled: mayWrite })
  if (!mayWrite || !said.data) return null
  const { task } = project.data
  const questions = askedOf(task)
  const { statements } = said.data
  const done = questions.filter((name) => statements[name] !== undefined).length
  const asked = search.get(ASK)
  const show = (open: boolean) =>
    setSearch(
      (before) => {
        const after = new URLSearchParams(before)
        if (open) after.set(ASK, 'all')
        else after.delete(ASK)
        return after
      },
      { replace: true },
    )
  return (
    <section className={styles.panel} aria-labelledby="statements">
      <div className={styles.head}>
        <div className={styles.words}>
          <h2 id="statements">{t('title')}</h2>
          <p>{t('text')}</p>
        </div>
        <div className={styles.progress}>
          <span>{t('progress', { done, count: questions.length })}</span>
          <Progress
            percent={(100 * done) / questions.length}
            showInfo={false}
            size="small"
            aria-label={t('progress', { done, count: questions.length })}
          />
          <Button aria-expanded={asked !== null} onClick={() => show(asked === null)}>
            {t(asked === null ? 'open' : 'close')}
          </Button>
        </div>
      </div>
      {asked === null ? null : (
        <div className={styles.questions}>
          {questions.map((name) => (
            <Question
              key={name}
              projectId={projectId}
              name={name}
              isFlow={task === 'flow'}
              stored={statements[name] ?? ''}
              isAsked={asked === name}
            />
          ))}
        </div>
      )}
    </section>
  )
}
