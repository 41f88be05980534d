import { TeamOutlined } from '@ant-design/icons'
import type { Share } from '@neuroloom/contract/sharing'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../../lib/query.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { PermissionSelect } from './share-form.tsx'
import styles from './sharing.module.css'

const refresh = ['files/shares', 'files/list', 'files/groupData'] as const

/** Accounts and groups that have access, each with a way to change or withdraw it. */
export function ShareList({ shares }: { shares: readonly Share[] }) {
  const { t } = useTranslation('sharing')
  if (shares.length === 0) return <p className={styles.soft}>{t('nobody')}</p>
  return (
    <ul className={styles.people}>
      {shares.map((share) => (
        <Item key={share.id} share={share} />
      ))}
    </ul>
  )
}

function Item({ share }: { share: Share }) {
  const { t } = useTranslation('sharing')
  const { id, member, group, permission } = share
  const name = member?.nickName ?? group?.name ?? ''
  const change = useAction('files/changeShare', { refresh })
  const withdraw = useAction('files/unshare', { refresh })
  return (
    <li>
      {member ? (
        <Avatar name={name} photo={member.photo} size={32} />
      ) : (
        <TeamOutlined className={styles.group} aria-hidden />
      )}
      <span>
        <strong>{name}</strong>
        <small>{member ? member.account : t('group')}</small>
      </span>
      <PermissionSelect
        label={t('permissionOf', { name })}
        value={permission}
        busy={change.isPending}
        onChange={(next) => change.mutate({ shareId: id, permission: next })}
      />
      <Button
        danger
        type="text"
        loading={withdraw.isPending}
        onClick={() => withdraw.mutate({ shareIds: [id] })}
      >
        {t('withdraw')}
      </Button>
    </li>
  )
}
