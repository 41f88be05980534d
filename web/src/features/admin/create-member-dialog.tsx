import type { Member } from '@neuroloom/contract/accounts/members'
import { roles } from '@neuroloom/contract/accounts/roles'
import { Form, Input, Modal, Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CallError, messageOf } from '../../lib/api.ts'
import { levelNames } from '../../lib/level-names.ts'
import { useAction } from '../../lib/query.ts'
import { firstField } from '../../ui/first-field.ts'
import type { Given } from './password-shown.tsx'

type CreateMemberDialogProps = {
  hasLevels: boolean
  onMade: (given: Given) => void
  onClose: () => void
}

const ORDINARY = 1

/** Makes an account; its password is drawn by the server and shown next. */
export function CreateMemberDialog({ hasLevels, onMade, onClose }: CreateMemberDialogProps) {
  const { t } = useTranslation(['members', 'levels', 'common'])
  const [account, setAccount] = useState('')
  const [nickName, setNickName] = useState('')
  const [role, setRole] = useState<Member['role']>(roles.member)
  const [level, setLevel] = useState(ORDINARY)
  const create = useAction('members/create', {
    refresh: ['members/list'],
    quiet: true,
    onDone: ({ member, password }) => {
      onMade({ account: member.account, nickName: member.nickName, password })
      onClose()
    },
  })
  const problems = problemsOf(create.error)
  const textOf = (field: string) =>
    problems.fields[field] === undefined ? '' : t(`common:${problems.fields[field]}` as 'common:form.invalid')
  const change = (set: (value: string) => void) => (event: { target: { value: string } }) => {
    set(event.target.value)
    if (create.isError) create.reset()
  }
  const submit = () => {
    if (!create.isPending) create.mutate({ account: account.trim(), nickName: nickName.trim(), role, level })
  }
  return (
    <Modal
      open
      centered
      width={520}
      title={t('create.title')}
      okText={t('create.submit')}
      okButtonProps={{ loading: create.isPending }}
      cancelText={t('common:cancel')}
      onOk={submit}
      onCancel={onClose}
    >
      <Form layout="vertical" requiredMark={false} onFinish={submit}>
        <Form.Item
          label={t('account')}
          htmlFor="member-account"
          validateStatus={problems.account || problems.fields.account ? 'error' : ''}
          help={problems.account ?? (textOf('account') || undefined)}
          extra={t('create.accountHelp')}
        >
          <Input
            id="member-account"
            ref={firstField}
            autoComplete="off"
            maxLength={254}
            placeholder={t('create.accountExample')}
            value={account}
            onChange={change(setAccount)}
          />
        </Form.Item>
        <Form.Item
          label={t('create.name')}
          htmlFor="member-name"
          validateStatus={problems.fields.nickName ? 'error' : ''}
          help={textOf('nickName') || undefined}
        >
          <Input
            id="member-name"
            autoComplete="off"
            maxLength={50}
            value={nickName}
            onChange={change(setNickName)}
          />
        </Form.Item>
        <Form.Item label={t('role')} htmlFor="member-role" extra={t(`roleText.${role}`)}>
          <Select<Member['role']>
            id="member-role"
            value={role}
            onChange={setRole}
            options={Object.values(roles).map((value) => ({ value, label: t(`roles.${value}`) }))}
          />
        </Form.Item>
        {hasLevels && (
          <Form.Item label={t('level')} htmlFor="member-level">
            <Select<number>
              id="member-level"
              value={level}
              onChange={setLevel}
              options={levelNames.map((name, value) => ({ value, label: t(`levels:${name}`) }))}
            />
          </Form.Item>
        )}
        {/* The Enter key of a field ends the form as everywhere. */}
        <button type="submit" hidden />
      </Form>
    </Modal>
  )
}

/** What is wrong with the fields, by their message keys, or with the account as a whole. */
function problemsOf(error: Error | null): { account: string | null; fields: Record<string, string> } {
  if (error === null) return { account: null, fields: {} }
  if (error instanceof CallError && error.name === 'invalid') return { account: null, fields: error.fields }
  return { account: messageOf(error), fields: {} }
}
