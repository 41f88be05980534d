import type { ProjectTask } from '@neuroloom/contract/task'
import { useTranslation } from 'react-i18next'
import styles from './task-choice.module.css'
import { TaskPicture } from './task-picture.tsx'

const groups = ['name', 'find', 'improve', 'compute'] as const
type Group = (typeof groups)[number]

/** A record, so that a task added to the contract cannot be forgotten here; in the order shown. */
const groupOf: Record<ProjectTask, Group> = {
  classification: 'name',
  multilabel: 'name',
  detection: 'find',
  segmentation: 'find',
  volume_segmentation: 'find',
  super_resolution: 'improve',
  denoising: 'improve',
  flow: 'compute',
}
const tasks = Object.keys(groupOf) as ProjectTask[] // The record's own keys.

type TaskChoiceProps = { task: ProjectTask; onChoose: (task: ProjectTask) => void }

/** What pictures can be asked, in plain words, each leading to its task; real radio buttons below them. */
export function TaskChoice({ task, onChoose }: TaskChoiceProps) {
  const { t } = useTranslation(['projects', 'tasks'])
  return (
    <div className={styles.choice} role="radiogroup" aria-labelledby="task-question">
      <p id="task-question">{t('taskQuestion')}</p>
      <div className={styles.groups}>
        {groups.map((group) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset would part the radio buttons
          <div key={group} className={styles.group} role="group" aria-labelledby={`task-group-${group}`}>
            <p id={`task-group-${group}`}>{t(`taskGroup.${group}`)}</p>
            {tasks
              .filter((one) => groupOf[one] === group)
              .map((one) => (
                <Card key={one} task={one} isChosen={one === task} onChoose={onChoose} />
              ))}
          </div>
        ))}
      </div>
      <p className={styles.about} aria-live="polite">
        {t(`tasks:about.${task}`)}
      </p>
    </div>
  )
}

function Card({ task, isChosen, onChoose }: TaskChoiceProps & { isChosen: boolean }) {
  const { t } = useTranslation(['projects', 'tasks'])
  return (
    <label className={styles.card}>
      <input
        type="radio"
        name="project-task"
        className="nl-hidden"
        value={task}
        checked={isChosen}
        onChange={() => onChoose(task)}
      />
      <TaskPicture task={task} />
      <span className={styles.words}>
        <strong>{t(`tasks:answer.${task}`)}</strong>
        <small>{t(`tasks:name.${task}`)}</small>
      </span>
    </label>
  )
}
