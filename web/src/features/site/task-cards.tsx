import { tasks } from '@neuroloom/contract/task'
import { useTranslation } from 'react-i18next'
import styles from './task-cards.module.css'
import { TaskPicture } from './task-picture.tsx'

/** Every task with a drawing of it, its question, what it takes and what it gives. */
export function TaskCards() {
  const { t } = useTranslation(['site', 'tasks'])
  return (
    <div className={styles.cards}>
      {tasks.map((task) => (
        <div key={task} className={styles.card}>
          <TaskPicture task={task} />
          <h3>{t(`tasks:name.${task}`)}</h3>
          <p className={styles.question}>{t(`tasks:answer.${task}`)}</p>
          <dl className={styles.trade}>
            <dt>{t('drawn.provide')}</dt>
            <dd>{t(`provide.${task}`)}</dd>
            <dt>{t('drawn.get')}</dt>
            <dd>{t(`get.${task}`)}</dd>
          </dl>
        </div>
      ))}
    </div>
  )
}
