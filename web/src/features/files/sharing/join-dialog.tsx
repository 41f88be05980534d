import { sharing as limits } from '@neuroloom/contract/limits'
import { Alert, Form, Input, Modal } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { messageOf } from '../../../lib/api.ts'
import { formatNumber } from '../../../lib/format.ts'
import { useAction, useCall } from '../../../lib/query.ts'
import { firstField } from '../../../ui/first-field.ts'
import styles from './groups.module.css'

const isNumber = (text: string): boolean => /^\d{6,12}$/.test(text)

/** Joins the group of a number, once it is shown which one that is. */
export function JoinDialog({ number: given, onClose }: { number: string; onClose: () => void }) {
  const { t } = useTranslation(['sharing', 'common'])
  const navigate = useNavigate()
  const [number, setNumber] = useState(given.replace(/\D/g, ''))
  const [password, setPassword] = useState('')
  const found = useCall('files/findGroup', { number }, { quiet: true, enabled: isNumber(number) })
  const group = isNumber(number) ? found.data : undefined
  const join = useAction('files/joinGroup', {
    refresh: ['files/groups', 'files/list'],
    quiet: true,
    onDone: ({ id }) => {
      onClose()
      void navigate(`/cloudHome?tab=groups&group=${encodeURIComponent(id)}`)
    },
  })
  const error = join.error ?? (isNumber(number) ? found.error : null)
  const submit = () => {
    if (group && !group.joined && !join.isPending) join.mutate({ number, password })
  }
  return (
    <Modal
      open
      centered
      width={480}
      title={t('join')}
      okText={t('joinNow')}
      okButtonProps={{ disabled: !group || group.joined }}
      cancelText={t('common:cancel')}
      confirmLoading={join.isPending}
      onOk={submit}
      onCancel={onClose}
    >
      <Form layout="vertical" requiredMark={false} onFinish={submit}>
        <Form.Item
          className={styles.helped ?? ''}
          label={t('groupNumber')}
          htmlFor="group-number"
          help={t('groupNumberHelp')}
        >
          <Input
            id="group-number"
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
              {t('ownedBy', { name: group.owner })} ·{' '}
              {t('members', { count: group.memberCount, shown: formatNumber(group.memberCount) })}
            </small>
            {group.about !== '' && <p>{group.about}</p>}
            {group.joined && <p>{t('joinedAlready')}</p>}
          </div>
        )}
        {group?.hasPassword && !group.joined && (
          <Form.Item label={t('groupPassword')} htmlFor="join-password">
            <Input.Password
              id="join-password"
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
