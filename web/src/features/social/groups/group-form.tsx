import { social as limits } from '@neuroloom/contract/limits'
import type { ChatGroup } from '@neuroloom/contract/social/groups'
import { Form, Input, Modal } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../../lib/query.ts'
import { firstField } from '../../../ui/first-field.ts'
import dialogs from '../../../ui/share/group-dialog.module.css'
import { GroupRefusal } from './group-refusal.tsx'
import styles from './groups.module.css'

type Props = { group: ChatGroup | null; onDone: (group: ChatGroup) => void; onClose: () => void }

/** Founds a chat group, or changes an own one (`group`). */
export function GroupForm({ group, onDone, onClose }: Props) {
  const { t } = useTranslation(['social', 'common'])
  const [name, setName] = useState(group?.name ?? '')
  const [introduction, setIntroduction] = useState(group?.introduction ?? '')
  const [notice, setNotice] = useState(group?.notice ?? '')
  // Null = the password stays as it is.
  const [password, setPassword] = useState<string | null>(group ? null : '')
  const [isNameMissing, setIsNameMissing] = useState(false)
  const options = {
    refresh: ['social/groups', 'social/chats', 'social/messages'] as const,
    quiet: true,
    onDone,
  }
  const create = useAction('social/createGroup', options)
  const edit = useAction('social/editGroup', options)
  const error = create.error ?? edit.error
  const isBusy = create.isPending || edit.isPending
  const submit = () => {
    setIsNameMissing(name.trim() === '')
    if (name.trim() === '' || isBusy) return
    if (group) edit.mutate({ groupId: group.id, name, introduction, notice, password })
    else create.mutate({ name, introduction, password: password ?? '' })
  }
  return (
    <Modal
      open
      centered
      width={520}
      title={t(group ? 'group.edit' : 'group.found')}
      okText={t(group ? 'common:save' : 'group.found')}
      cancelText={t('common:cancel')}
      confirmLoading={isBusy}
      onOk={submit}
      onCancel={onClose}
    >
      <Form layout="vertical" requiredMark={false} onFinish={submit}>
        <Form.Item
          label={t('group.name')}
          htmlFor="chat-group-name"
          validateStatus={isNameMissing ? 'error' : ''}
          help={isNameMissing ? t('group.nameMissing') : undefined}
        >
          <Input
            id="chat-group-name"
            ref={firstField}
            maxLength={limits.groupNameLength}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        </Form.Item>
        <Form.Item label={t('group.introduction')} htmlFor="chat-group-introduction">
          <Input.TextArea
            id="chat-group-introduction"
            rows={3}
            maxLength={limits.introductionLength}
            value={introduction}
            onChange={(event) => setIntroduction(event.target.value)}
          />
        </Form.Item>
        {group && (
          <Form.Item
            className={dialogs.helped ?? ''}
            label={t('group.notice')}
            htmlFor="chat-group-notice"
            help={t('group.noticeHelp')}
          >
            <Input.TextArea
              id="chat-group-notice"
              rows={2}
              maxLength={limits.noticeLength}
              value={notice}
              onChange={(event) => setNotice(event.target.value)}
            />
          </Form.Item>
        )}
        <Form.Item
          className={dialogs.helped ?? ''}
          label={t('group.password')}
          htmlFor="chat-group-password"
          help={t('group.passwordHelp')}
        >
          <Input.Password
            id="chat-group-password"
            autoComplete="new-password"
            maxLength={limits.groupPasswordLength}
            placeholder={group?.hasPassword ? t('group.passwordKept') : ''}
            value={password ?? ''}
            onChange={(event) => setPassword(event.target.value)}
          />
          {group?.hasPassword && password === null && (
            <button type="button" className={styles.link} onClick={() => setPassword('')}>
              {t('group.passwordNone')}
            </button>
          )}
        </Form.Item>
        {error && <GroupRefusal error={error} />}
      </Form>
    </Modal>
  )
}
