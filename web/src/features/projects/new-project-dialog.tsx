import type { Project } from '@neuroloom/contract/projects'
import { isLearned, type ProjectTask } from '@neuroloom/contract/task'
import { Button, Form, Modal } from 'antd'
import { type ReactNode, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { useAction } from '../../lib/query.ts'
import { useIsPhone } from '../../ui/hooks/use-media.ts'
import { StepCount } from '../../ui/step-count.tsx'
import styles from './new-project-dialog.module.css'
import { DescriptionField, type FieldProblems, NameField, problemsOf } from './project-fields.tsx'
import { isNameTaken, Refusal } from './refusal.tsx'
import { TaskChoice } from './task-choice.tsx'

/** The form's id, for buttons that stand outside it. */
export const newProjectForm = 'new-project'
const nameId = 'project-name'

/** What the ways to the data need of the form above them. */
export type NewProject = {
  task: ProjectTask
  /** Whether what was entered will do; says what is missing otherwise. */
  check: () => boolean
  /** Makes the project and leads into it. After a refusal `then` is kept for the next try. */
  create: (then?: (project: Project) => void) => void
  isBusy: boolean
  /** Ends the form without a project of its own. */
  close: () => void
}

type NewProjectDialogProps = {
  open: boolean
  /** Names that own projects have already. */
  taken: readonly string[]
  /** The third question: where the pictures are. Pages hand it in, because features do not know each other. */
  data: (project: NewProject) => ReactNode
  onClose: () => void
}

/** Asks what is to be recognised, what it is called and where the pictures are; ends in a project. */
export function NewProjectDialog({ open, onClose, ...form }: NewProjectDialogProps) {
  const { t } = useTranslation('projects')
  return (
    <Modal open={open} centered width={920} destroyOnHidden title={t('new')} footer={null} onCancel={onClose}>
      <NewProjectForm {...form} onClose={onClose} />
    </Modal>
  )
}

function NewProjectForm({ taken, data, onClose }: Omit<NewProjectDialogProps, 'open'>) {
  const { t } = useTranslation(['projects', 'tasks', 'common'])
  const suggest = useSuggestion(taken)
  const [task, setTask] = useState<ProjectTask>('classification')
  const [name, setName] = useState<string | null>(null)
  const [description, setDescription] = useState<string | null>(null)
  const [problems, setProblems] = useState<FieldProblems>({})
  const { create, wish } = useCreate(onClose)
  const isPhone = useIsPhone()
  const [isAsked, setIsAsked] = useState(false)
  const draft = { name: name ?? suggest(task), description: description ?? '' }
  const check = () => {
    const found = problemsOf(draft, t)
    if (taken.includes(draft.name.trim())) found.name = t('nameTaken')
    setProblems(found)
    if (found.name) document.getElementById(nameId)?.focus()
    return !found.name && !found.description
  }
  const submit = (then?: (project: Project) => void) => {
    if (then) wish(then)
    if (create.isPending || !check()) return
    create.mutate({ task, name: draft.name.trim(), description: draft.description.trim() })
  }
  const isTaken = isNameTaken(create.error)
  const forget = () => {
    setProblems({})
    if (create.isError) create.reset()
  }
  return (
    <>
      {isPhone && <StepCount step={isAsked ? 2 : 1} of={2} title={t(isAsked ? 'step.data' : 'step.task')} />}
      <Form
        id={newProjectForm}
        className={styles.form ?? ''}
        layout="vertical"
        onFinish={() => (isPhone && !isAsked ? setIsAsked(true) : submit())}
        requiredMark={false}
      >
        <div hidden={isPhone && isAsked}>
          <TaskChoice task={task} onChoose={setTask} />
          {isPhone && (
            <div className={styles.next}>
              <Button type="primary" size="large" block onClick={() => setIsAsked(true)}>
                {t('common:step.next')}
              </Button>
            </div>
          )}
        </div>
        <div hidden={isPhone && !isAsked}>
          <NameField
            id={nameId}
            label={t('nameQuestion')}
            value={draft.name}
            problem={problems.name ?? (isTaken ? t('nameTaken') : undefined)}
            placeholder={t(`tasks:example.${task}`)}
            onChange={(text) => {
              setName(text)
              forget()
            }}
          />
          {description === null ? (
            <Form.Item>
              <div className={styles.flush}>
                <Button type="link" onClick={() => setDescription('')}>
                  {t('addDescription')}
                </Button>
              </div>
            </Form.Item>
          ) : (
            <DescriptionField
              id="project-description"
              value={description}
              problem={problems.description}
              onChange={(text) => {
                setDescription(text)
                forget()
              }}
            />
          )}
          {create.isError && !isTaken && <Refusal error={create.error} />}
        </div>
      </Form>
      {/* Outside the form: antd would show the hidden inputs of files in it. */}
      <div hidden={isPhone && !isAsked}>
        {isLearned(task) && <p className={styles.question}>{t('dataQuestion')}</p>}
        {data({ task, check, create: submit, isBusy: create.isPending, close: onClose })}
        {isPhone && (
          <Button type="link" className={styles.back ?? ''} onClick={() => setIsAsked(false)}>
            {t('common:back')}
          </Button>
        )}
      </div>
    </>
  )
}

/** What is wished for the new project is done once it is there, be it at the second try. */
function useCreate(onClose: () => void) {
  const navigate = useNavigate()
  const wishes = useRef<((project: Project) => void)[]>([])
  const create = useAction('projects/create', {
    refresh: ['projects/list'],
    quiet: true,
    onDone: (project) => {
      for (const then of wishes.current) then(project)
      // The page behind stays; it must not be found with this open.
      onClose()
      void navigate(`/projectDetail?id=${encodeURIComponent(project.id)}`)
    },
  })
  return { create, wish: (then: (project: Project) => void) => (wishes.current = [then]) }
}

/** A name from the answer, with a number where it is taken. */
function useSuggestion(taken: readonly string[]): (task: ProjectTask) => string {
  const { t } = useTranslation(['projects', 'tasks'])
  return (task) => {
    const plain = t(`tasks:suggestion.${task}`)
    let name = plain
    for (let number = 2; taken.includes(name); number++) name = `${plain} ${number}`
    return name
  }
}
