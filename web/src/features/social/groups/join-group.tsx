import { social as limits } from '@neuroloom/contract/limits'
import type { ChatGroup } from '@neuroloom/contract/social/groups'
import { Alert, Form, Input, Modal } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { messageOf } from '../../../lib/api.ts'
import { formatNumber } from '../../../lib/format.ts'
import { useAction, useCall } from '../../../lib/query.ts'
import { firstField } from '../../../ui/first-field.ts'
import { useSettled } from '../../../ui/hooks/use-settled.ts'
import styles from './groups.module.css'

const isNumber = (text: string): boolean => /^\d{6,12}$/.test(text)

type Props = { onDone: (group: ChatGroup) => void; onClose: () => void }

/** Joins the chat group of a number, once it is shown which one that is. */
export function JoinGroup({ onDone, onClose }: Props) {
  const { t } = useTranslation(['social', 'common'])
  const [number, setNumber] = useState('')
  const [password, setPassword] = useState('')
  // A search that finds nothing counts: it begins once typing paused.
  const asked = useSettled(number)
  const isAsked = asked === number && isNumber(number)
  const found = useCall('social/findGroup', { number: asked }, { quiet: true, enabled: isAsked })
  const group = isAsked ? found.data : undefined
  const join = useAction('social/joinGroup', {
    refresh: ['social/groups', 'social/chats', 'social/unread'],
    quiet: true,
    onDone,
  })
  const error = join.error ?? (isAsked ? found.error : null)
  const submit = () => {
    if (group && !group.joined && !join.isPending) join.mutate({ number, password })
  }
  return (
    <Modal
      open
      centered
      width={480}
      title={t('group.join')}
      okText={t('group.joinNow')}
      okButtonProps={{ disabled: !group || group.joined }}
      cancelText={t('common:cancel')}
      confirmLoading={join.isPending}
      onOk={submit}
      onCancel={onClose}
    >
      <Form layout="vertical" requiredMark={false} onFinish={submit}>
        <Form.Item
          className={styles.helped ?? ''}
          label={t('group.number')}
          htmlFor="chat-group-number"
          help={t('group.numberHelp')}
        >
          <Input
            id="chat-group-number"
            ref={firstField}
            inputMode="numeric"
            // Digits with the spaces between them.
            maxLength={16}
            value={number}
            onChange={(event) => {
              setNumber(event.target.value.replace(/\D/g, '').slice(0, 12))
              join.reset()
            }}
          />
        </Form.Item>
        {group && (
          <div className={styles.found}>
            <strong>{group.name}</strong>
            <small>
              {t('group.ownedBy', { name: group.owner.nickName || t('closedAccount') })} ·{' '}
              {t('group.members', { count: group.memberCount, shown: formatNumber(group.memberCount) })}
            </small>
            {group.introduction !== '' && <p>{group.introduction}</p>}
            {group.joined && <p>{t('group.joinedAlready')}</p>}
          </div>
        )}
        {group?.hasPassword && !group.joined && (
          <Form.Item label={t('group.password')} htmlFor="chat-join-password">
            <Input.Password
              id="chat-join-password"
              autoComplete="off"
              maxLength={limits.groupPasswordLength}
              value={password}
              onChange={(event) => {
                setPassword(event.target.value)
                join.reset()
              }}
            />
          </Form.Item>
        )}
        {error && <Alert type="error" showIcon title={messageOf(error)} />}
      </Form>
    </Modal>
  )
}
