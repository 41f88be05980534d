import { Alert, Form, Input, Modal } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { messageOf } from '../../lib/api.ts'
import { firstField } from '../first-field.ts'
import styles from './group-dialog.module.css'

type Props = {
  texts: Record<'title' | 'join' | 'number' | 'numberHelp' | 'password' | 'joined', string>
  number: string
  onNumber: (number: string) => void
  /** Behind the number, once it is known; `facts` = whose it is and how many are in it. */
  group?:
    | { name: string; facts: string; introduction: string; joined: boolean; hasPassword: boolean }
    | undefined
  mostPassword: number
  error: Error | null
  isBusy: boolean
  onJoin: (password: string) => void
  /** Something was typed: what was said of the last try is old. */
  onTyped: () => void
  onClose: () => void
}

/** Whether the number of a group could be whole. */
export const isGroupNumber = (text: string): boolean => /^\d{6,12}$/.test(text)

/** Joins the group of a number, once it is shown which one that is. Fetches nothing itself. */
export function JoinGroupDialog(props: Props) {
  const { texts, number, onNumber, group, mostPassword, error, isBusy, onJoin, onTyped, onClose } = props
  const { t } = useTranslation('common')
  const [password, setPassword] = useState('')
  const submit = () => {
    if (group && !group.joined && !isBusy) onJoin(password)
  }
  return (
    <Modal
      open
      centered
      width={480}
      title={texts.title}
      okText={texts.join}
      okButtonProps={{ disabled: !group || group.joined }}
      cancelText={t('cancel')}
      confirmLoading={isBusy}
      onOk={submit}
      onCancel={onClose}
    >
      <Form layout="vertical" requiredMark={false} onFinish={submit}>
        <Form.Item
          className={styles.helped ?? ''}
          label={texts.number}
          htmlFor="group-number"
          help={texts.numberHelp}
        >
          <Input
            id="group-number"
            ref={firstField}
            inputMode="numeric"
            // Digits with the spaces between them.
            maxLength={16}
            value={number}
            onChange={(event) => {
              onNumber(event.target.value.replace(/\D/g, '').slice(0, 12))
              onTyped()
            }}
          />
        </Form.Item>
        {group && (
          <div className={styles.found}>
            <strong>{group.name}</strong>
            <small>{group.facts}</small>
            {group.introduction !== '' && <p>{group.introduction}</p>}
            {group.joined && <p>{texts.joined}</p>}
          </div>
        )}
        {group?.hasPassword && !group.joined && (
          <Form.Item label={texts.password} htmlFor="join-password">
            <Input.Password
              id="join-password"
              autoComplete="off"
              maxLength={mostPassword}
              value={password}
              onChange={(event) => {
                setPassword(event.target.value)
                onTyped()
              }}
            />
          </Form.Item>
        )}
        {error && <Alert type="error" showIcon title={messageOf(error)} />}
      </Form>
    </Modal>
  )
}
