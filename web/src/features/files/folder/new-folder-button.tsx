import { PlusOutlined } from '@ant-design/icons'
import { files as limits } from '@neuroloom/contract/limits'
import { Button, Form, Input, Modal } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../../lib/query.ts'
import { firstField } from '../../../ui/first-field.ts'
import { RefusalText } from '../../../ui/limits/refusal-text.tsx'

/** Makes an empty folder where the page stands. */
export function NewFolderButton({ parentId }: { parentId: string | null }) {
  const { t } = useTranslation('files')
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button icon={<PlusOutlined aria-hidden />} onClick={() => setIsOpen(true)}>
        {t('newFolder')}
      </Button>
      {isOpen && <NewFolderDialog parentId={parentId} onClose={() => setIsOpen(false)} />}
    </>
  )
}

function NewFolderDialog({ parentId, onClose }: { parentId: string | null; onClose: () => void }) {
  const { t } = useTranslation(['files', 'common'])
  const [name, setName] = useState('')
  const create = useAction('files/createFolder', { refresh: ['files/list'], onDone: onClose, quiet: true })
  const submit = () => {
    if (name.trim() !== '' && !create.isPending) create.mutate({ parentId, name: name.trim() })
  }
  return (
    <Modal
      open
      centered
      width={440}
      title={t('newFolder')}
      okText={t('createFolder')}
      okButtonProps={{ disabled: name.trim() === '', loading: create.isPending }}
      cancelText={t('common:cancel')}
      onOk={submit}
      onCancel={onClose}
    >
      <Form layout="vertical" onFinish={submit}>
        <Form.Item
          label={t('folderName')}
          htmlFor="new-folder-name"
          validateStatus={create.isError ? 'error' : ''}
          help={create.isError ? <Reason error={create.error} /> : undefined}
        >
          <Input
            id="new-folder-name"
            ref={firstField}
            value={name}
            maxLength={limits.nameLength}
            onChange={(event) => {
              setName(event.target.value)
              create.reset()
            }}
          />
        </Form.Item>
      </Form>
    </Modal>
  )
}

/** A refused field has no sentence of its own in the answer: what a name may hold is said here. */
function Reason({ error }: { error: Error }) {
  const { t } = useTranslation('files')
  return error.name === 'invalid' ? t('nameBad') : <RefusalText error={error} />
}
