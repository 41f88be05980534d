import { names } from '@neuroloom/contract/limits'
import type { Project } from '@neuroloom/contract/projects'
import { Form, Modal } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { useAction } from '../../lib/query.ts'
import { toast } from '../../lib/toast.ts'
import { NameField, problemsOf } from './project-fields.tsx'
import { isNameTaken, Refusal } from './refusal.tsx'

/** An own project like this one, with the own data sets among its data. */
export function CopyProjectDialog({ project, onClose }: { project: Project; onClose: () => void }) {
  const { t } = useTranslation(['projects', 'common'])
  const navigate = useNavigate()
  const [name, setName] = useState(t('copyName', { name: project.name }).slice(0, names.length))
  const copy = useAction('projects/copy', {
    refresh: ['projects/list'],
    quiet: true,
    onDone: ({ project: { id, name: given }, leftOut }) => {
      onClose()
      toast.success(leftOut === 0 ? t('copied', { name: given }) : t('copiedWithout', { count: leftOut }))
      void navigate(`/projectDetail?id=${encodeURIComponent(id)}`)
    },
  })
  const problem = problemsOf({ name, description: '' }, t).name
  const isTaken = isNameTaken(copy.error)
  const submit = () => {
    if (problem === undefined && !copy.isPending) copy.mutate({ id: project.id, name: name.trim() })
  }
  return (
    <Modal
      open
      centered
      width={520}
      title={t('copyTitle', { name: project.name })}
      okText={t('copy')}
      okButtonProps={{ disabled: problem !== undefined, loading: copy.isPending }}
      cancelText={t('common:cancel')}
      onOk={submit}
      onCancel={onClose}
    >
      <Form layout="vertical" onFinish={submit}>
        <NameField
          id="copy-project-name"
          value={name}
          problem={problem ?? (isTaken ? t('nameTaken') : undefined)}
          onChange={(text) => {
            setName(text)
            copy.reset()
          }}
        />
        {copy.error && !isTaken && <Refusal error={copy.error} />}
        <p>{t('copyText', { context: project.task })}</p>
      </Form>
    </Modal>
  )
}
