import { MoreOutlined } from '@ant-design/icons'
import type { ChatGroup } from '@neuroloom/contract/social/groups'
import type { Person } from '@neuroloom/contract/social/people'
import { Button, Dropdown } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDate, formatNumber } from '../../../lib/format.ts'
import { useAction, useCall } from '../../../lib/query.ts'
import { ConfirmRemove } from '../../../ui/confirm-remove.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Loading } from '../../../ui/loading.tsx'
import { LongList } from '../../../ui/long-list.tsx'
import { Avatar } from '../../../ui/pictures/avatar.tsx'
import list from '../chats/chats.module.css'
import styles from './groups.module.css'

type Props = { group: ChatGroup; onPerson: (person: Person) => void }

/** Who is in a chat group; its owner can remove others and give the group to one of them. */
export function GroupMembers({ group, onPerson }: Props) {
  const { t } = useTranslation('social')
  const [asked, setAsked] = useState<{ what: 'remove' | 'transfer'; person: Person } | null>(null)
  const query = useCall('social/groupMembers', { groupId: group.id }, { quiet: true })
  const refresh = ['social/groupMembers', 'social/groups', 'social/messages', 'social/chats'] as const
  const remove = useAction('social/removeFromGroup', { refresh })
  const transfer = useAction('social/transferGroup', { refresh })
  if (query.isPending) return <Loading shape="rows" count={3} />
  if (query.isError) return <ErrorState error={query.error} retry={() => void query.refetch()} />
  const name = asked?.person.nickName ?? ''
  const { memberCount } = group
  return (
    <section>
      <h3 className={styles.heading}>
        {t('group.members', { count: memberCount, shown: formatNumber(memberCount) })}
      </h3>
      <LongList
        items={query.data.members}
        keyOf={({ id }) => id}
        label={t('group.membersTitle')}
        rowHeight={48}
        className={list.list}
      >
        {(member) => (
          <div className={styles.member}>
            <Avatar name={member.nickName} photo={member.photo} size={32} />
            <span className={list.what}>
              <button type="button" className={styles.person} onClick={() => onPerson(member)}>
                {member.nickName || t('closedAccount')}
              </button>
              <small>
                {member.isOwner
                  ? t('group.owner')
                  : t('group.since', { date: formatDate(member.joinedAt, 'day') })}
              </small>
            </span>
            {group.isOwner && !member.isOwner && (
              <Dropdown
                trigger={['click']}
                placement="bottomRight"
                destroyOnHidden
                menu={{
                  items: [
                    {
                      key: 'transfer',
                      label: t('group.transfer'),
                      onClick: () => setAsked({ what: 'transfer', person: member }),
                    },
                    {
                      key: 'remove',
                      danger: true,
                      label: t('group.remove'),
                      onClick: () => setAsked({ what: 'remove', person: member }),
                    },
                  ],
                }}
              >
                <Button
                  type="text"
                  size="small"
                  icon={<MoreOutlined aria-hidden />}
                  aria-label={t('group.memberMenu', { name: member.nickName })}
                />
              </Dropdown>
            )}
          </div>
        )}
      </LongList>
      <ConfirmRemove
        open={asked !== null}
        title={t(`group.${asked?.what ?? 'remove'}Ask`, { name })}
        text={t(`group.${asked?.what ?? 'remove'}Text`)}
        confirmLabel={t(`group.${asked?.what ?? 'remove'}`)}
        onConfirm={() => {
          if (!asked) return
          const body = { groupId: group.id, memberId: asked.person.id }
          return asked.what === 'remove' ? remove.mutateAsync(body) : transfer.mutateAsync(body)
        }}
        onClose={() => setAsked(null)}
      />
    </section>
  )
}
