import type { Member } from '@neuroloom/contract/accounts/members'
import { Alert, Input, Modal } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CallError, messageOf } from '../../lib/api.ts'
import styles from './members.module.css'

type CloseMemberDialogProps = {
  member: Member
  isSelf: boolean
  onCloseAccount: (account: string) => Promise<unknown>
  onClose: () => void
}

/** For good: asks for the account's name, so that nobody deletes the neighbour in the list. */
export function CloseMemberDialog({ member, isSelf, onCloseAccount, onClose }: CloseMemberDialogProps) {
  const { t } = useTranslation(['members', 'common'])
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const submit = async () => {
    setBusy(true)
    try {
      await onCloseAccount(typed.trim())
      onClose()
    } catch (error) {
      const isOther = error instanceof CallError && error.fields.account !== undefined
      setProblem(isOther ? t('common:form.account_differs') : messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Modal
      open
      centered
      width={520}
      title={t('ask.close.title', { name: member.nickName })}
      okText={t('ask.close.confirm')}
      okButtonProps={{ danger: true, disabled: typed.trim() === '', loading: isBusy }}
      cancelText={t('common:cancel')}
      onOk={() => void submit()}
      onCancel={onClose}
    >
      <div className={styles.form}>
        <Alert
          type="warning"
          showIcon
          title={t('ask.close.undone')}
          description={
            <>
              <p>{t('ask.close.text')}</p>
              <p>{isSelf ? t('ask.close.self') : t('ask.close.instead')}</p>
            </>
          }
        />
        <label htmlFor="close-account">{t('ask.close.type', { account: member.account })}</label>
        <Input
          id="close-account"
          autoComplete="off"
          maxLength={254}
          value={typed}
          status={problem ? 'error' : ''}
          onChange={({ target }) => {
            setTyped(target.value)
            setProblem(null)
          }}
        />
        {problem !== null && (
          <p role="alert" className={styles.problem}>
            {problem}
          </p>
        )}
      </div>
    </Modal>
  )
}
