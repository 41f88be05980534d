import { names } from '@neuroloom/contract/limits'
import type { Task } from '@neuroloom/contract/task'
import { Alert, Button, Form, Input, type InputRef, Modal } from 'antd'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { CallError, messageOf } from '../../lib/api.ts'
import { useAction } from '../../lib/query.ts'
import styles from './new-project-dialog.module.css'
import { TaskChoice } from './task-choice.tsx'

/** Asks for the task and a name, makes the project, and leads into it. */
export function NewProjectDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useTranslation(['projects', 'common'])
  return (
    <Modal open={open} centered width={640} destroyOnHidden title={t('new')} footer={null} onCancel={onClose}>
      <NewProjectForm onClose={onClose} />
    </Modal>
  )
}

function NewProjectForm({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['projects', 'common'])
  const navigate = useNavigate()
  const [task, setTask] = useState<Task>('classification')
  const [name, setName] = useState('')
  const [description, setDescription] = useState<string | null>(null)
  const [isNameMissing, setIsNameMissing] = useState(false)
  const nameField = useRef<InputRef>(null)
  const create = useAction('projects/create', {
    refresh: ['projects/list'],
    quiet: true,
    onDone: ({ id }) => {
      // The page behind stays; it must not be found with this open.
      onClose()
      void navigate(`/projectDetail?id=${encodeURIComponent(id)}`)
    },
  })
  const submit = () => {
    if (create.isPending) return
    setIsNameMissing(name.trim() === '')
    if (name.trim() === '') return nameField.current?.focus()
    create.mutate({ task, name: name.trim(), description: (description ?? '').trim() })
  }
  const isTaken = create.error instanceof CallError && create.error.name === 'name_taken'
  const nameHelp = isNameMissing ? t('nameMissing') : isTaken && t('nameTaken')
  return (
    <Form layout="vertical" onFinish={submit} requiredMark={false}>
      <TaskChoice task={task} onChoose={setTask} />
      <Form.Item
        label={t('name')}
        htmlFor="project-name"
        validateStatus={nameHelp ? 'error' : ''}
        help={nameHelp || undefined}
      >
        <Input
          ref={nameField}
          id="project-name"
          size="large"
          autoFocus
          maxLength={names.length}
          placeholder={t(`task.${task}.example`)}
          value={name}
          onChange={(event) => {
            setName(event.target.value)
            setIsNameMissing(false)
            if (create.isError) create.reset()
          }}
        />
      </Form.Item>
      {description === null ? (
        <Form.Item>
          <div className={styles.flush}>
            <Button type="link" onClick={() => setDescription('')}>
              {t('addDescription')}
            </Button>
          </div>
        </Form.Item>
      ) : (
        <Form.Item label={t('description')} htmlFor="project-description">
          <Input.TextArea
            id="project-description"
            autoFocus
            rows={3}
            maxLength={names.description}
            value={description}
            onChange={(event) => setDescription(event.target.value)}
          />
        </Form.Item>
      )}
      {create.isError && !isTaken && <Refusal error={create.error} />}
      <FormButtons isBusy={create.isPending} onCancel={onClose} />
    </Form>
  )
}

function Refusal({ error }: { error: Error }) {
  const { t } = useTranslation('projects')
  const isLimit = error instanceof CallError && error.name === 'plan_limit'
  return (
    <Form.Item>
      <Alert
        type={isLimit ? 'warning' : 'error'}
        showIcon
        title={isLimit ? t('limit.reached') : messageOf(error)}
        {...(isLimit ? { description: t('limit.remedy') } : {})}
      />
    </Form.Item>
  )
}

function FormButtons({ isBusy, onCancel }: { isBusy: boolean; onCancel: () => void }) {
  const { t } = useTranslation(['projects', 'common'])
  return (
    <div className={styles.buttons}>
      <Button onClick={onCancel}>{t('common:cancel')}</Button>
      <Button type="primary" htmlType="submit" loading={isBusy}>
        {t('create')}
      </Button>
    </div>
  )
}
