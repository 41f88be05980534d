import type { ChatGroup } from '@neuroloom/contract/social/groups'
import { Alert, Button, Modal } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useAction, useCall } from '../../../lib/query.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { RefusalText } from '../../../ui/limits/refusal-text.tsx'
import { Loading } from '../../../ui/loading.tsx'
import { Avatar } from '../../../ui/pictures/avatar.tsx'
import list from '../chats/chats.module.css'
import styles from './groups.module.css'

/** Brings friends into a chat group. */
export function InviteFriend({ group, onClose }: { group: ChatGroup; onClose: () => void }) {
  const { t } = useTranslation(['social', 'common'])
  const friends = useCall('social/friends', {}, { quiet: true })
  const members = useCall('social/groupMembers', { groupId: group.id }, { quiet: true })
  const invite = useAction('social/inviteToGroup', {
    refresh: ['social/groupMembers', 'social/groups', 'social/messages', 'social/chats'],
    quiet: true,
  })
  const error = friends.error ?? members.error
  const inGroup = new Set(members.data?.members.map(({ id }) => id))
  const others = friends.data?.friends.filter(({ id }) => !inGroup.has(id)) ?? []
  const isLoaded = friends.data !== undefined && members.data !== undefined
  return (
    <Modal
      open
      centered
      width={420}
      title={t('group.inviteTo', { name: group.name })}
      cancelText={t('common:close')}
      okButtonProps={{ hidden: true }}
      onCancel={onClose}
    >
      {!isLoaded && (error ? <ErrorState error={error} /> : <Loading shape="rows" count={3} />)}
      {isLoaded && others.length === 0 && (
        <p>
          {t('group.nobodyToInvite')} <Link to="/socialHome?tab=book">{t('findPeople')}</Link>
        </p>
      )}
      <ul className={`${list.list} ${styles.friends}`} aria-label={t('friends')}>
        {others.map(({ id, nickName, photo }) => (
          <li key={id} className={styles.member}>
            <Avatar name={nickName} photo={photo} size={32} />
            <span className={list.what}>{nickName}</span>
            <Button
              size="small"
              aria-label={t('group.inviteOne', { name: nickName })}
              loading={invite.isPending && invite.variables.memberId === id}
              onClick={() => invite.mutate({ groupId: group.id, memberId: id })}
            >
              {t('group.inviteNow')}
            </Button>
          </li>
        ))}
      </ul>
      {invite.error && <Alert type="error" showIcon title={<RefusalText error={invite.error} />} />}
    </Modal>
  )
}
