import type { Project } from '@neuroloom/contract/projects'
import { Form, Modal } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { messageOf } from '../../lib/api.ts'
import { useAction } from '../../lib/query.ts'
import { DescriptionField, NameField, problemsOf } from './project-fields.tsx'
import { isNameTaken } from './refusal.tsx'

/** Changes a project's name and description. */
export function RenameProjectDialog({ project, onClose }: { project: Project; onClose: () => void }) {
  const { t } = useTranslation(['projects', 'common'])
  const [name, setName] = useState(project.name)
  const [description, setDescription] = useState(project.description)
  const rename = useAction('projects/rename', {
    refresh: ['projects/list', 'projects/detail'],
    quiet: true,
    onDone: onClose,
  })
  const problems = problemsOf({ name, description }, t)
  const refused = rename.error && (isNameTaken(rename.error) ? t('nameTaken') : messageOf(rename.error))
  const isWrong = problems.name !== undefined || problems.description !== undefined
  const submit = () => {
    if (isWrong || rename.isPending) return
    rename.mutate({ id: project.id, name: name.trim(), description: description.trim() })
  }
  return (
    <Modal
      open
      centered
      width={520}
      title={t('rename')}
      okText={t('common:save')}
      okButtonProps={{ disabled: isWrong, loading: rename.isPending }}
      cancelText={t('common:cancel')}
      onOk={submit}
      onCancel={onClose}
    >
      <Form layout="vertical" onFinish={submit}>
        <NameField
          id="rename-project-name"
          value={name}
          problem={problems.name ?? refused ?? undefined}
          onChange={(text) => {
            setName(text)
            rename.reset()
          }}
        />
        <DescriptionField
          id="rename-project-description"
          value={description}
          problem={problems.description}
          onChange={setDescription}
        />
      </Form>
    </Modal>
  )
}
