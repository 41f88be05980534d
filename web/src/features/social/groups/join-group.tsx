import { social as limits } from '@neuroloom/contract/limits'
import type { ChatGroup } from '@neuroloom/contract/social/groups'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/format.ts'
import { useAction, useCall } from '../../../lib/query.ts'
import { useSettled } from '../../../ui/hooks/use-settled.ts'
import { isGroupNumber, JoinGroupDialog } from '../../../ui/share/join-group-dialog.tsx'

type Props = { onDone: (group: ChatGroup) => void; onClose: () => void }

/** Joins the chat group of a number, once it is shown which one that is. */
export function JoinGroup({ onDone, onClose }: Props) {
  const { t } = useTranslation('social')
  const [number, setNumber] = useState('')
  // A search that finds nothing counts: it begins once typing paused.
  const asked = useSettled(number)
  const isAsked = asked === number && isGroupNumber(number)
  const found = useCall('social/findGroup', { number: asked }, { quiet: true, enabled: isAsked })
  const group = isAsked ? found.data : undefined
  const join = useAction('social/joinGroup', {
    refresh: ['social/groups', 'social/chats', 'social/unread'],
    quiet: true,
    onDone,
  })
  const factsOf = ({ owner, memberCount }: NonNullable<typeof group>) =>
    `${t('group.ownedBy', { name: owner.nickName || t('closedAccount') })} · ${t('group.members', {
      count: memberCount,
      shown: formatNumber(memberCount),
    })}`
  return (
    <JoinGroupDialog
      texts={{
        title: t('group.join'),
        join: t('group.joinNow'),
        number: t('group.number'),
        numberHelp: t('group.numberHelp'),
        password: t('group.password'),
        joined: t('group.joinedAlready'),
      }}
      number={number}
      onNumber={setNumber}
      group={group && { ...group, facts: factsOf(group) }}
      mostPassword={limits.groupPasswordLength}
      error={join.error ?? (isAsked ? found.error : null)}
      isBusy={join.isPending}
      onJoin={(password) => join.mutate({ number, password })}
      onTyped={() => join.reset()}
      onClose={onClose}
    />
  )
}
