import type { Group } from '@neuroloom/contract/groups'
import { sharing as limits } from '@neuroloom/contract/limits'
import { Alert, Form, Input, Modal } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../../lib/query.ts'
import { firstField } from '../../../ui/first-field.ts'
import { RefusalText } from '../../../ui/limits/refusal-text.tsx'
import dialogs from '../../../ui/share/group-dialog.module.css'
import { suggestedPassword } from './suggested-password.ts'

/** Founds a group, or changes an own one (`group`). */
export function GroupForm({ group, onClose }: { group: Group | null; onClose: () => void }) {
  const { t } = useTranslation(['sharing', 'common'])
  const [name, setName] = useState(group?.name ?? '')
  const [about, setAbout] = useState(group?.about ?? '')
  // Null = the password stays as it is.
  const [password, setPassword] = useState<string | null>(group ? null : suggestedPassword)
  // One that was suggested has to be seen to be told to others.
  const [isShown, setIsShown] = useState(group === null)
  const [isNameMissing, setIsNameMissing] = useState(false)
  const options = { refresh: ['files/groups'] as const, quiet: true, onDone: onClose }
  const create = useAction('files/createGroup', options)
  const edit = useAction('files/editGroup', options)
  const error = create.error ?? edit.error
  const submit = () => {
    setIsNameMissing(name.trim() === '')
    if (name.trim() === '' || create.isPending || edit.isPending) return
    if (group) edit.mutate({ groupId: group.id, name, about, password })
    else create.mutate({ name, about, password: password ?? '' })
  }
  return (
    <Modal
      open
      centered
      width={520}
      title={t(group ? 'editGroup' : 'createGroup')}
      okText={t(group ? 'common:save' : 'createGroup')}
      cancelText={t('common:cancel')}
      confirmLoading={create.isPending || edit.isPending}
      onOk={submit}
      onCancel={onClose}
    >
      <Form layout="vertical" requiredMark={false} onFinish={submit}>
        <Form.Item
          label={t('groupName')}
          htmlFor="group-name"
          validateStatus={isNameMissing ? 'error' : ''}
          help={isNameMissing ? t('groupNameMissing') : undefined}
        >
          <Input
            id="group-name"
            ref={firstField}
            maxLength={limits.groupNameLength}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        </Form.Item>
        <Form.Item label={t('groupAbout')} htmlFor="group-about">
          <Input.TextArea
            id="group-about"
            rows={3}
            maxLength={limits.groupAboutLength}
            value={about}
            onChange={(event) => setAbout(event.target.value)}
          />
        </Form.Item>
        <Form.Item
          className={dialogs.helped ?? ''}
          label={t('groupPassword')}
          htmlFor="group-password"
          help={t(group ? 'groupPasswordHelp' : 'groupPasswordSuggested')}
        >
          <Input.Password
            id="group-password"
            autoComplete="new-password"
            maxLength={limits.groupPasswordLength}
            placeholder={group ? t('passwordKept') : ''}
            visibilityToggle={{ visible: isShown, onVisibleChange: setIsShown }}
            value={password ?? ''}
            onChange={(event) => setPassword(event.target.value)}
          />
        </Form.Item>
        {error && <Alert type="error" showIcon title={<RefusalText error={error} />} />}
      </Form>
    </Modal>
  )
}
