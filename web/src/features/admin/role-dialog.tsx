import type { Member } from '@neuroloom/contract/accounts/members'
import { roles } from '@neuroloom/contract/accounts/roles'
import { Alert, Modal, Radio } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './members.module.css'

type RoleDialogProps = {
  member: Member
  isSelf: boolean
  onChoose: (role: Member['role']) => Promise<unknown>
  onClose: () => void
}

/** What a member is here: each role with what it may do. */
export function RoleDialog({ member, isSelf, onChoose, onClose }: RoleDialogProps) {
  const { t } = useTranslation(['members', 'common'])
  const [role, setRole] = useState(member.role)
  const [isBusy, setBusy] = useState(false)
  const isLeaving = isSelf && member.role === roles.administrator && role !== roles.administrator
  const submit = async () => {
    setBusy(true)
    // A refusal is told by the call; the dialog stays for another choice.
    const isDone = await onChoose(role).then(
      () => true,
      () => false,
    )
    setBusy(false)
    if (isDone) onClose()
  }
  return (
    <Modal
      open
      centered
      width={520}
      title={t('roleOf', { name: member.nickName })}
      okText={t(isLeaving ? 'giveUpOffice' : 'common:save')}
      okButtonProps={{ disabled: role === member.role, danger: isLeaving, loading: isBusy }}
      cancelText={t('common:cancel')}
      onOk={() => void submit()}
      onCancel={onClose}
    >
      <div className={styles.form}>
        <Radio.Group
          vertical
          value={role}
          onChange={({ target }) => setRole(target.value)}
          options={Object.values(roles).map((value) => ({
            value,
            label: (
              <>
                {t(`roles.${value}`)} <span className={styles.roleText}>{t(`roleText.${value}`)}</span>
              </>
            ),
          }))}
        />
        <p className={styles.help}>{t('roleSignsOut')}</p>
        {isLeaving && <Alert type="warning" showIcon title={t('leavingOffice')} />}
      </div>
    </Modal>
  )
}
