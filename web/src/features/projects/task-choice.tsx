import type { Task } from '@neuroloom/contract/task'
import { useTranslation } from 'react-i18next'
import styles from './task-choice.module.css'
import { TaskPicture } from './task-picture.tsx'

/** A record, so that a task added to the contract cannot be forgotten here. */
const offered: Record<Task, true> = {
  classification: true,
  multilabel: true,
  segmentation: true,
  volume_segmentation: true,
  detection: true,
  super_resolution: true,
  denoising: true,
}
const tasks = Object.keys(offered) as Task[] // The record's own keys.

/** What pictures can be asked, in plain words, each leading to its task; real radio buttons below them. */
export function TaskChoice({ task, onChoose }: { task: Task; onChoose: (task: Task) => void }) {
  const { t } = useTranslation('projects')
  return (
    <div className={styles.choice} role="radiogroup" aria-labelledby="task-question">
      <p id="task-question">{t('taskQuestion')}</p>
      <div className={styles.cards}>
        {tasks.map((one) => (
          <label key={one} className={styles.card}>
            <input
              type="radio"
              name="project-task"
              className="nl-hidden"
              value={one}
              checked={one === task}
              onChange={() => onChoose(one)}
            />
            <TaskPicture task={one} size="large" />
            <strong>{t(`task.${one}.answer`)}</strong>
            <span>{t(`task.${one}.text`)}</span>
            <small>{t(`task.${one}.name`)}</small>
          </label>
        ))}
      </div>
    </div>
  )
}
