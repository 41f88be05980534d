import { names } from '@neuroloom/contract/limits'
import type { Project } from '@neuroloom/contract/projects'
import { Form, Input, Modal } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CallError, messageOf } from '../../lib/api.ts'
import { useAction } from '../../lib/query.ts'

type RenameProjectDialogProps = { project: Project; open: boolean; onClose: () => void }

/** Changes a project's name and description. */
export function RenameProjectDialog({ project, open, onClose }: RenameProjectDialogProps) {
  const { t } = useTranslation(['projects', 'common'])
  const [name, setName] = useState(project.name)
  const [description, setDescription] = useState(project.description)
  const rename = useAction('projects/rename', {
    refresh: ['projects/list', 'projects/detail'],
    quiet: true,
    onDone: onClose,
  })
  const submit = () => {
    if (name.trim() === '' || rename.isPending) return
    rename.mutate({ id: project.id, name: name.trim(), description: description.trim() })
  }
  const begin = (isOpen: boolean) => {
    if (!isOpen) return
    setName(project.name)
    setDescription(project.description)
    rename.reset()
  }
  return (
    <Modal
      open={open}
      centered
      width={520}
      title={t('rename')}
      okText={t('common:save')}
      okButtonProps={{ disabled: name.trim() === '', loading: rename.isPending }}
      cancelText={t('common:cancel')}
      onOk={submit}
      onCancel={onClose}
      afterOpenChange={begin}
    >
      <Form layout="vertical" onFinish={submit}>
        <Form.Item
          label={t('name')}
          htmlFor="rename-project-name"
          validateStatus={rename.isError ? 'error' : ''}
          help={rename.isError ? textOf(rename.error, t('nameTaken')) : undefined}
        >
          <Input
            id="rename-project-name"
            autoFocus
            maxLength={names.length}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        </Form.Item>
        <Form.Item label={t('description')} htmlFor="rename-project-description">
          <Input.TextArea
            id="rename-project-description"
            rows={3}
            maxLength={names.description}
            value={description}
            onChange={(event) => setDescription(event.target.value)}
          />
        </Form.Item>
      </Form>
    </Modal>
  )
}

const textOf = (error: Error, taken: string) =>
  error instanceof CallError && error.name === 'name_taken' ? taken : messageOf(error)
