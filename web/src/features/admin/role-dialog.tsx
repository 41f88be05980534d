import type { Member } from '@neuroloom/contract/accounts/members'
import { roles } from '@neuroloom/contract/accounts/roles'
import { Alert, Radio } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { SaveDialog } from '../../ui/save-dialog.tsx'
import styles from './members.module.css'

type RoleDialogProps = {
  member: Member
  isSelf: boolean
  onChoose: (role: Member['role']) => Promise<unknown>
  onClose: () => void
}

/** What a member is here: each role with what it may do. */
export function RoleDialog({ member, isSelf, onChoose, onClose }: RoleDialogProps) {
  const { t } = useTranslation('members')
  const [role, setRole] = useState(member.role)
  const isLeaving = isSelf && member.role === roles.administrator && role !== roles.administrator
  return (
    <SaveDialog
      width={520}
      title={t('roleOf', { name: member.nickName })}
      {...(isLeaving ? { saveLabel: t('giveUpOffice') } : {})}
      isDanger={isLeaving}
      isDisabled={role === member.role}
      onSave={() => onChoose(role)}
      onClose={onClose}
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
    </SaveDialog>
  )
}
