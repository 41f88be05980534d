import type { Group, GroupMember } from '@neuroloom/contract/groups'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDate } from '../../../lib/format.ts'
import { useAction, useCall } from '../../../lib/query.ts'
import { ConfirmRemove } from '../../../ui/confirm-remove.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Loading } from '../../../ui/loading.tsx'
import { Avatar } from '../../../ui/pictures/avatar.tsx'
import styles from '../../../ui/share/share.module.css'

/** Who is in a group; its owner may remove others. */
export function GroupMembers({ group }: { group: Group }) {
  const { t } = useTranslation('sharing')
  const query = useCall('files/groupMembers', { groupId: group.id }, { quiet: true })
  const [asked, setAsked] = useState<GroupMember | null>(null)
  const remove = useAction('files/removeMember', {
    refresh: ['files/groupMembers', 'files/groups', 'files/groupData'],
  })
  if (query.isPending) return <Loading shape="rows" count={3} />
  if (query.isError) return <ErrorState error={query.error} retry={() => void query.refetch()} />
  return (
    <aside aria-labelledby="group-members">
      <h3 id="group-members" className={styles.heading}>
        {t('membersTitle')}
      </h3>
      <ul className={styles.people}>
        {query.data.members.map((member) => (
          <li key={member.id}>
            <Avatar name={member.nickName} photo={member.photo} size={32} />
            <span>
              <strong>{member.nickName}</strong>
              <small>
                {member.isOwner
                  ? t('isOwner')
                  : t('memberSince', { date: formatDate(member.joinedAt, 'day') })}
              </small>
            </span>
            {group.isOwner && !member.isOwner && (
              <Button
                danger
                type="text"
                aria-label={t('removeMemberOf', { name: member.nickName })}
                onClick={() => setAsked(member)}
              >
                {t('removeMember')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      <ConfirmRemove
        open={asked !== null}
        title={t('removeMemberAsk', { name: asked?.nickName ?? '' })}
        text={t('removeMemberText')}
        confirmLabel={t('removeMember')}
        onConfirm={() => asked && remove.mutateAsync({ groupId: group.id, memberId: asked.id })}
        onClose={() => setAsked(null)}
      />
    </aside>
  )
}
